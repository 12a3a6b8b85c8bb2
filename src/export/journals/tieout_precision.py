"""Enough digits for the journal beside this file: amounts reach 30 digits before the point and 18 behind it.

Python's decimal rounds the sign of a number, and every sum, to 28 digits, and beancount has read the journal by the time
a plugin runs. So this one raises the precision and reads the journal again.
"""
import decimal
from os import path

from beancount.core import data
from beancount.parser import booking, parser

decimal.getcontext().prec = 120

__plugins__ = ('read_exactly',)

HERE = path.dirname(path.realpath(__file__))


def read_exactly(entries, options_map):
    """The entries, those of journals beside this file read anew; what is in other files stays."""
    names = {entry.meta['filename'] for entry in entries}
    ours = {name for name in names if path.dirname(path.realpath(name)) == HERE}
    exact = [entry for entry in entries if entry.meta['filename'] not in ours]
    errors = []
    for name in sorted(ours):
        read, _, options = parser.parse_file(name)
        booked, wrong = booking.book(read, options)
        exact.extend(booked)
        errors.extend(wrong)
    return data.sorted(exact), errors
