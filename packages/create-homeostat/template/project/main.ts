import { run } from 'homeostat'
import operator from './operator.ts'

await run(operator)
