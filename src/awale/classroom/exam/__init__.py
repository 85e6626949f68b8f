"""The functions of the examination *Le jeu de l'awalé*: a template, a solution, and a checker for pupils' files."""

from awale.classroom.exam.check import Checker, Verdict, check_file
from awale.classroom.exam.template import FUNCTIONS, solved_template, template

__all__ = ["FUNCTIONS", "Checker", "Verdict", "check_file", "solved_template", "template"]
