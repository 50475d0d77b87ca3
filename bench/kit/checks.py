"""What a bench finds: a figure, the bar that it has to reach, and whether it does."""
from dataclasses import dataclass


@dataclass
class Check:
    name: str
    value: float
    bar: float
    sense: str = '>='  # '>=' or '<=': value SENSE bar
    unit: str = ''

    @property
    def holds(self):
        return self.value >= self.bar if self.sense == '>=' else self.value <= self.bar

    def shown(self, number):
        text = '%d' % number if float(number).is_integer() and self.unit else '%.2f' % number
        return text + (' ' + self.unit if self.unit else '')

    def record(self):
        return {'name': '%s (%s%s)' % (self.name, {'>=': 'at least', '<=': 'at most'}[self.sense],
                                       ', ' + self.unit if self.unit else ''),
                'value': round(self.value, 4), 'bar': self.bar, 'holds': self.holds}


def at_least(name, value, bar, unit=''):
    return Check(name, value, bar, '>=', unit)


def at_most(name, value, bar, unit=''):
    return Check(name, value, bar, '<=', unit)
