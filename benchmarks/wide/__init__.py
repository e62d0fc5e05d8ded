"""Wide tables: rules between few of many columns."""
