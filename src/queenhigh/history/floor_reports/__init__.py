"""The reports of the floor, each as one value."""
