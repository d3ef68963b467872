import { withoutPrintedEffectWarnings } from '../effect-warnings.ts'

const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const FILE_TIME = /\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g
const LONG_TIME = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g
const VERSION = /(resource ?version["']?: *["']?)\d+/gi
const CLUSTER_IP = /\b10\.96\.\d+\.\d+\b/g
const NODE_PORT = /\b3[0-2]\d{3}\b/g
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g
const AGE = /(^| {2,}|\()(?:\d+[dhms]){1,2}( ago|\)|(?= {2,})|$)/gm
const BASE64 = /\b[A-Za-z0-9+/]{120,}={0,2}/g

/** An event of a real server that has not yet seen the address which it gave a Service itself: it may come or not. */
const REPAIR = /\n {2}Warning +ClusterIPNotAllocated .*/g
/** The head of a table of events, with nothing below it. */
const NO_EVENTS = /^Events:\n +Type .*\n +---- .*$(?!\n {2}\S)/gm

/** The lines of an output, without what no two runs have in common. */
export function comparableLines(
  printed: string,
  run: { readonly namespace: string; readonly folder: string; readonly server: string },
): string[] {
  const text = withoutPrintedEffectWarnings(printed)
  if (text === '') return []
  return (
    text
      .replaceAll(run.namespace, 'test-namespace')
      .replaceAll(run.folder, '.')
      .replaceAll(run.server, 'https://server')
      .replace(UID, '<uid>')
      .replace(TOKEN, '<token>')
      .replace(TIME, '<time>')
      .replace(FILE_TIME, '<time>')
      .replace(LONG_TIME, '<time>')
      .replace(VERSION, '$1<version>')
      .replace(CLUSTER_IP, '<cluster-ip>')
      .replace(NODE_PORT, '<node-port>')
      .replace(AGE, '$1<age>$2')
      .replace(BASE64, '<base64>')
      .replace(REPAIR, '')
      .replace(NO_EVENTS, 'Events:  <none>')
      .replace(/\/tmp\/(?:LIVE|MERGED)-\d+/g, (path) => path.replace(/-\d+/, ''))
      .trimEnd()
      .split('\n')
      // Columns are as wide as what stands in them.
      .map((line) => line.replace(/ {2,}/g, '  ').trimEnd())
  )
}
