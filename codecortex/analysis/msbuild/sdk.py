"""The name and version of an SDK in; the properties, groups and items that it adds to a project out."""

from __future__ import annotations

import re

from codecortex.model.code.projects import GroupFact, ItemFact, PropertyFact

_NEWEST = 10
_LAST_WITH_SEVENTEEN = 9
_MAJOR = re.compile(r"\d{1,4}")
ARCADE = "microsoft.dotnet.arcade.sdk"
"""The SDK of Microsoft's own repositories; what it sets follows from its version and the repository's folder."""

_USINGS_OF = {
    "microsoft.net.sdk.web": (
        *("Microsoft.AspNetCore.Builder", "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Http"),
        *("Microsoft.AspNetCore.Routing", "Microsoft.Extensions.Configuration"),
        *("Microsoft.Extensions.DependencyInjection", "Microsoft.Extensions.Hosting", "Microsoft.Extensions.Logging"),
        "System.Net.Http.Json",
    ),
    "microsoft.net.sdk.worker": (
        *("Microsoft.Extensions.Configuration", "Microsoft.Extensions.DependencyInjection"),
        *("Microsoft.Extensions.Hosting", "Microsoft.Extensions.Logging"),
    ),
}
_PLAIN_USINGS = (
    *("System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Threading"),
    "System.Threading.Tasks",
)
_WITH_USINGS = "'$(ImplicitUsings)' == 'true' Or '$(ImplicitUsings)' == 'enable'"


def _set(name: str, value: str) -> PropertyFact:
    return PropertyFact(name, value, f"'$({name})' == ''")


def read_major(version: str) -> int:
    """The first number of a version; the newest SDK's where it has none."""
    found = _MAJOR.match(version.strip())
    return int(found[0]) if found else _NEWEST


def list_known_properties(version: str) -> dict[str, str]:
    """What the build tool and the SDK of a version set before they read anything, by name in lower case.

    Args:
        version: Of the SDK, as `global.json` gives it, such as `9.0.100`; empty for the newest.
    """
    major = read_major(version)
    tool = "17" if major <= _LAST_WITH_SEVENTEEN else "18"
    return {
        "os": "Unix",
        "msbuildruntimetype": "Core",
        "msbuildtoolsversion": "Current",
        "msbuildversion": f"{tool}.0.0",
        "msbuildassemblyversion": f"{tool}.0",
        "visualstudioversion": f"{tool}.0",
        "netcoresdkversion": version or f"{major}.0.100",
        "netcoreappmaximumversion": f"{major}.0",
        "bundlednetcoreapptargetframeworkversion": f"{major}.0",
        "bundlednetcoreapppackageversion": f"{major}.0.0",
        "_directorybuildpropsfile": "Directory.Build.props",
        "_directorybuildtargetsfile": "Directory.Build.targets",
    }


def list_arcade_properties(version: str, root: str) -> dict[str, str]:
    """What Arcade sets for every project, by name in lower case.

    The oldest framework that it still builds for is the last one before the newest that is supported for three years.

    Args:
        version: Of Arcade or, where that is not known, of the SDK.
        root: The folder of `global.json`, with a slash at its end.
    """
    major = read_major(version)
    minimum = major - 1 if major % 2 else major - 2
    return {
        "netcurrent": f"net{major}.0",
        "netprevious": f"net{major - 1}.0",
        "netminimum": f"net{minimum}.0",
        "nettoolcurrent": f"net{major}.0",
        "nettoolminimum": f"net{minimum}.0",
        "netframeworkcurrent": "net481",
        "netframeworkminimum": "net462",
        "netframeworktoolcurrent": "net472",
        "reporoot": root,
        "repositoryengineeringdir": root + "eng/",
        "artifactsdir": root + "artifacts/",
    }


SDK_PROPS = GroupFact(
    "",
    (
        _set("Platform", "AnyCPU"),
        _set("AssemblyName", "$(MSBuildProjectName)"),
        _set("RootNamespace", "$(MSBuildProjectName.Replace(' ', '_'))"),
        PropertyFact("DefineConstants", "$(DefineConstants);TRACE"),
    ),
)
"""Set before the project's own text, after `Directory.Build.props`."""

SDK_FRAMEWORK = GroupFact(
    "",
    (
        _set("TargetFrameworkIdentifier", "$([MSBuild]::GetTargetFrameworkIdentifier('$(TargetFramework)'))"),
        _set("TargetFrameworkVersion", "v$([MSBuild]::GetTargetFrameworkVersion('$(TargetFramework)'))"),
        _set("TargetPlatformIdentifier", "$([MSBuild]::GetTargetPlatformIdentifier('$(TargetFramework)'))"),
    ),
)
"""Set after the project's own text where it names a framework."""

SDK_TARGETS = GroupFact(
    "",
    (
        _set("EnableDefaultItems", "true"),
        _set("EnableDefaultCompileItems", "true"),
        _set("BaseOutputPath", "bin/"),
        _set("BaseIntermediateOutputPath", "obj/"),
        PropertyFact(
            "DefaultItemExcludes",
            "$(DefaultItemExcludes);bin/**;obj/**;$(BaseOutputPath)/**;$(BaseIntermediateOutputPath)/**",
        ),
        PropertyFact(
            "DefaultExcludesInProjectFolder",
            "$(DefaultExcludesInProjectFolder);$(DefaultItemExcludesInProjectFolder);**/.*/**",
        ),
        PropertyFact(
            "DefineConstants",
            "$(DefineConstants);$(Configuration.ToUpper().Replace('-', '_').Replace('.', '_').Replace(' ', '_'))",
            "'$(DisableImplicitConfigurationDefines)' != 'true'",
        ),
    ),
)
"""Set after the project's own text, before `Directory.Build.targets`."""


def list_sdk_items(sdk: str) -> tuple[GroupFact, ...]:
    """The items that stand before a project's own.

    Args:
        sdk: As the project names it, such as `Microsoft.NET.Sdk.Web/8.0.100`.
    """
    name = sdk.partition("/")[0].lower()
    net_http = ItemFact("Using", "System.Net.Http", condition="'$(TargetFrameworkIdentifier)' != '.NETFramework'")
    usings = [ItemFact("Using", each) for each in (*_PLAIN_USINGS, *_USINGS_OF.get(name, ()))]
    forms = "'$(UseWindowsForms)' == 'true'"
    usings += [
        net_http,
        *(ItemFact("Using", each, condition=forms) for each in ("System.Drawing", "System.Windows.Forms")),
    ]
    usings.append(ItemFact("Using", remove="System.IO;System.Net.Http", condition="'$(UseWPF)' == 'true'"))
    groups = [GroupFact(_WITH_USINGS, tuple(usings))]
    if not name.startswith(("microsoft.build.notargets", "microsoft.build.traversal")):
        every = ItemFact("Compile", "**/*.cs", "$(DefaultItemExcludes);$(DefaultExcludesInProjectFolder)")
        enabled = "'$(EnableDefaultItems)' == 'true' And '$(EnableDefaultCompileItems)' == 'true'"
        groups.append(GroupFact(enabled, (every,)))
    return tuple(groups)
