import type { Interpreter } from '../state/interpreter.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import type { Builtin } from './builtin.ts'

/** `getopts`: the options of a script, one at a time. */
const getopts: Builtin = async (shell, [letters, name, ...words]) => {
  if (letters === undefined || name === undefined)
    throw new ShellFailure('usage: getopts optstring var [arg...]')
  const args = words.length > 0 ? words : shell.positional
  const index = Number(shell.get('OPTIND') ?? '1') || 1
  const at = shell.optionPlace?.index === index ? shell.optionPlace.letter : 1
  const arg = args[index - 1] ?? ''
  if (!/^-./.test(arg) || arg === '--') {
    shell.set(name, '?')
    if (arg === '--') shell.set('OPTIND', String(index + 1))
    return 1
  }
  const letter = arg[at] ?? ''
  const known = letter !== ':' && letters.indexOf(letter, letters.startsWith(':') ? 1 : 0)
  const takesValue = known !== false && known >= 0 && letters[known + 1] === ':'
  let next = index
  if (takesValue || at + 1 >= arg.length) next++
  shell.optionPlace = { index: next, letter: next === index ? at + 1 : 1 }
  shell.variables.unset('OPTARG')
  if (known === false || known < 0) await unknown(shell, name, letter, letters, 'illegal option -- ')
  else if (takesValue) {
    const value = at + 1 < arg.length ? arg.slice(at + 1) : args[next++ - 1]
    shell.optionPlace = { index: next, letter: 1 }
    if (value === undefined) await missing(shell, name, letter, letters)
    else {
      shell.set('OPTARG', value)
      shell.set(name, letter)
    }
  } else shell.set(name, letter)
  shell.set('OPTIND', String(next))
  return 0
}

async function unknown(
  shell: Interpreter,
  name: string,
  letter: string,
  letters: string,
  text: string,
): Promise<void> {
  shell.set(name, '?')
  if (letters.startsWith(':')) shell.set('OPTARG', letter)
  else await shell.complain(`${text}${letter}`)
}

async function missing(shell: Interpreter, name: string, letter: string, letters: string): Promise<void> {
  if (letters.startsWith(':')) {
    shell.set(name, ':')
    shell.set('OPTARG', letter)
  } else {
    shell.set(name, '?')
    await shell.complain(`option requires an argument -- ${letter}`)
  }
}

/** Options of scripts. */
export const getoptsBuiltins: Readonly<Record<string, Builtin>> = { getopts }
