import { Manager } from 'homeostat'
import { markdownView } from './controller.ts'

await new Manager().add(markdownView).start()
