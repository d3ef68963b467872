import {
  byteLength,
  canonicalAddress,
  type FieldError,
  invalidValue,
  isMapped,
  isNetwork,
  type JsonObject,
  listOf,
  quote,
  textOf,
  tooLong,
  tooMany,
} from '../../schema/index.ts'
import { repeated } from '../devices/limited-lists.ts'

const LONGEST_INTERFACE = 256
const LONGEST_HARDWARE = 128
const MOST_ADDRESSES = 16

/** Validates the data that a driver reports about a network device. */
export function networkDataErrors(data: JsonObject, field: string): FieldError[] {
  const addresses = listOf(data['ips']).map((address) => textOf(address ?? ''))
  const at = `${field}.ips`
  return [
    ...notLonger(data['interfaceName'], LONGEST_INTERFACE, `${field}.interfaceName`),
    ...notLonger(data['hardwareAddress'], LONGEST_HARDWARE, `${field}.hardwareAddress`),
    ...(addresses.length > MOST_ADDRESSES
      ? [tooMany(at, addresses.length, MOST_ADDRESSES)]
      : [
          ...addresses.flatMap((address, index) => interfaceAddress(address, `${at}[${index}]`)),
          ...repeated(addresses, at),
        ]),
  ]
}

function notLonger(value: unknown, longest: number, field: string): FieldError[] {
  return byteLength(textOf(value ?? '')) > longest ? [tooLong(field, longest)] : []
}

/** An address with the length of its network, in its canonical form. */
function interfaceAddress(text: string, field: string): FieldError[] {
  if (!isNetwork(text)) {
    const detail = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)'
    return [invalidValue(field, text, detail)]
  }
  const [address = '', length = ''] = text.split('/')
  const size = isMapped(address) && Number(length) > 32 ? Number(length) - 96 : Number(length)
  const canonical = `${canonicalAddress(address)}/${size}`
  return text === canonical
    ? []
    : [invalidValue(field, text, `must be in canonical form (${quote(canonical)})`)]
}
