"""What all files are bound with: definitions, lookups, conversions, inference, overload resolution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.expressions import ExpressionConversions
from codecortex.analysis.binding.conversions.types import TypeConversions
from codecortex.analysis.binding.declarations.declare import Declarations
from codecortex.analysis.binding.inference.infer import TypeInference
from codecortex.analysis.binding.lookup.extensions import Extensions
from codecortex.analysis.binding.lookup.members import MemberLookup
from codecortex.analysis.binding.overloads.applicability import Applicability
from codecortex.analysis.binding.overloads.better import Betterness
from codecortex.analysis.binding.overloads.resolve import Overloads
from codecortex.analysis.binding.scopes.names import Names
from codecortex.analysis.binding.scopes.type_syntax import TypeSyntax
from codecortex.analysis.binding.scopes.universe import Universe
from codecortex.analysis.binding.types.ancestors import BaseTypes
from codecortex.analysis.binding.types.asked import Asked
from codecortex.analysis.binding.types.wellknown import WellKnown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.analysis.binding.declarations.declare import DeclaredFile
    from codecortex.analysis.binding.declarations.pending import PendingFiles
    from codecortex.analysis.binding.references.assemblies import References


class Session:
    """What all files of a repository are bound with."""

    def __init__(
        self, references: References, visible: Mapping[str, frozenset[str]], pending: PendingFiles[DeclaredFile]
    ) -> None:
        """Make it.

        Args:
            references: The definitions of assemblies.
            visible: For each project the projects whose sources it sees, itself included.
            pending: The sources.
        """
        self.asked = Asked()
        self.universe = Universe(references, visible)
        self.universe.open_types = pending.open_types
        self.universe.list_waiting = pending.list_types
        self.types = WellKnown(references.find)
        self.bases = BaseTypes(self.types)
        self.syntax = TypeSyntax(self.universe, self.types)
        self.names = Names(self.universe, self.bases, self.syntax.resolve, self.asked)
        self.syntax.names = self.names
        self.declarations = Declarations(self.universe, self.syntax, self.types, pending)
        self.members = MemberLookup(self.bases, self.types, self.asked)
        self.conversions = ExpressionConversions(TypeConversions(self.bases, self.types))
        self.applicability = Applicability(self.conversions, TypeInference(self.conversions), self.asked)
        self.overloads = Overloads(self.applicability, Betterness(self.conversions), self.conversions)
        self.extensions = Extensions(self.universe, self.names, self.bases, self.declarations)
