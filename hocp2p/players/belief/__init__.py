"""What may be in the other hands:

- hidden: what a seat can be sure of
- sampler: hands that agree with it, each as likely as it is
"""
