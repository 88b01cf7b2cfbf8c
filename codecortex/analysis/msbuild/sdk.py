"""The properties, groups and items that an SDK adds to a project."""

from __future__ import annotations

from codecortex.model.code.projects import GroupFact, ItemFact, PropertyFact
from codecortex.model.startup.patterns import compile_later

_NEWEST = 10
_LAST_WITH_SEVENTEEN = 9
_MAJOR = compile_later(r"\d{1,4}")
ARCADE = "microsoft.dotnet.arcade.sdk"
"""The SDK of Microsoft's own repositories; its properties follow from its version and the repository's folder."""

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
    """The first number of a version; the newest SDK's if there is none."""
    found = _MAJOR.match(version.strip())
    return int(found[0]) if found else _NEWEST


def list_known_properties(version: str) -> dict[str, str]:
    """The properties that the build tool and the SDK set before reading any file, by lower-case name.

    Args:
        version: The SDK version in `global.json`, such as `9.0.100`; empty for the newest.
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
    """The properties that Arcade sets for every project, by lower-case name.

    The oldest framework that it still builds for is the last long-term (three-year) release before the newest one.

    Args:
        version: The version of Arcade, or if unknown, of the SDK.
        root: The folder of `global.json`, with a trailing slash.
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
"""Set before the project's own content, after `Directory.Build.props`."""

SDK_FRAMEWORK = GroupFact(
    "",
    (
        _set("TargetFrameworkIdentifier", "$([MSBuild]::GetTargetFrameworkIdentifier('$(TargetFramework)'))"),
        _set("TargetFrameworkVersion", "v$([MSBuild]::GetTargetFrameworkVersion('$(TargetFramework)'))"),
        _set("TargetPlatformIdentifier", "$([MSBuild]::GetTargetPlatformIdentifier('$(TargetFramework)'))"),
    ),
)
"""Set after the project's own content if it names a framework."""

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
"""Set after the project's own content, before `Directory.Build.targets`."""


def list_sdk_items(sdk: str) -> tuple[GroupFact, ...]:
    """The item groups that come before a project's own.

    Args:
        sdk: The SDK as the project names it, such as `Microsoft.NET.Sdk.Web/8.0.100`.
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
