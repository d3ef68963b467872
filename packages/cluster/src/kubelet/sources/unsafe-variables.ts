import type { CommandImage } from '../../images/index.ts'
import { PodProblem } from './pod-problem.ts'

/**
 * Variables by which the loaders of systems, languages and shells find, load or run code at the start of a program. `*` stands
 * for any text.
 */
const NAMES = `
  PATH LD_* DYLD_* GCONV_PATH GLIBC_TUNABLES OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES
  GTK_MODULES GTK_PATH GIO_EXTRA_MODULES GIO_MODULE_DIR QT_PLUGIN_PATH
  ENV BASH_ENV BASH_FUNC_* SHELLOPTS BASHOPTS PS4 ZDOTDIR FPATH PSModulePath
  NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE BUN_OPTIONS
  PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONBREAKPOINT PYTHONUSERBASE PYTHONNOUSERSITE PYTHONPLATLIBDIR
  PERL5OPT PERL5LIB PERL5DB PERLLIB RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE LUA_INIT* LUA_PATH* LUA_CPATH*
  PHPRC PHP_INI_SCAN_DIR AWKPATH AWKLIBPATH TCLLIBPATH GUILE_LOAD_PATH GUILE_LOAD_COMPILED_PATH GUILE_EXTENSIONS_PATH
  R_PROFILE* R_ENVIRON* R_LIBS* ERL_*FLAGS ERL_LIBS ELIXIR_ERL_OPTIONS JULIA_LOAD_PATH JULIA_DEPOT_PATH JULIA_PROJECT
  CLASSPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS
  DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS DOTNET_SHARED_STORE CORECLR_* COR_*
  GIT_SSH* GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_ASKPASS GIT_PROXY_COMMAND GIT_CONFIG* GIT_EXEC_PATH GIT_TEMPLATE_DIR
  SSH_ASKPASS TAR_OPTIONS LESSOPEN LESSCLOSE
`
const RUNS_CODE = new RegExp(`^(?:${NAMES.trim().split(/\s+/).join('|').replaceAll('*', '.*')})$`)

/** Refuses variables by which an allowed command would run code that the mapping does not name. */
export function refuseUnsafeVariables(env: Readonly<Record<string, string>>, image: CommandImage): void {
  const name = Object.keys(env).find((variable) => RUNS_CODE.test(variable))
  if (name === undefined || image.hostCommands) return
  throw new PodProblem(
    `the variable ${name} can make the command run other code: map the image with hostCommands: true to allow it`,
  )
}
