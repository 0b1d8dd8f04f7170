"""Sheets for the printer, as PDF: a template for each, which is given plain data."""
