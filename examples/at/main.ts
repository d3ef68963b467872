import { Manager } from 'homeostat'
import { at } from './controller.ts'

await new Manager().add(at).start()
