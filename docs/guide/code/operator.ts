import { operator } from 'homeostat'
import { greeting } from './greeting-controller.ts'

export default operator('greeting', { controllers: [greeting] })
