"""Records everything the program shows, of this tree or another, so that two can be compared.

python -m tests.recorder record [--tree CHECKOUT] OUT
python -m tests.recorder compare BEFORE AFTER
"""
