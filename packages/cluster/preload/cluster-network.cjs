// Loaded into the Node processes of Pods (NODE_OPTIONS): lets them take part in the cluster's network, which is mapped to
// loopback addresses of this machine. Names and addresses of the cluster connect; a port that is listened on is the Pod's
// own; localhost is the Pod. It keeps to syntax and modules that old versions of Node know.
'use strict'

const dns = require('dns')
const net = require('net')

const settings = readSettings()
if (settings) takePart(settings)

function readSettings() {
  try {
    return JSON.parse(process.env.HOMEOSTAT_NETWORK || 'null')
  } catch {
    return null
  }
}

function takePart(own) {
  const originalConnect = net.Socket.prototype.connect
  const originalListen = net.Server.prototype.listen
  const originalLookup = dns.lookup
  const originalPromisesLookup = dns.promises && dns.promises.lookup

  net.Socket.prototype.connect = function connect(...args) {
    const { options, callback } = connectArguments(args)
    const host = options && options.host === undefined ? 'localhost' : options && options.host
    if (!options || options.path || typeof host !== 'string') return originalConnect.apply(this, args)
    const port = Number(options.port)
    if (isOwnHost(host)) {
      return originalConnect.call(this, { ...options, host: own.host, port: ownPort(port) }, callback)
    }
    if (net.isIP(host) && !isClusterAddress(host)) return originalConnect.apply(this, args)
    // As Node does while it looks up a name: what is written meanwhile waits.
    this.connecting = true
    ask({ host, port, namespace: own.namespace }, (answer) => {
      if (this.destroyed) return
      this.connecting = false
      const target = addressFor(answer, host, port)
      if (target) originalConnect.call(this, { ...options, ...target, ...from(options) }, callback)
      else if (answer.outside) originalConnect.call(this, { ...options, host: answer.outside }, callback)
      else if (isClusterAddress(host)) this.destroy(refused(host, port))
      else originalConnect.call(this, options, callback)
    })
    return this
  }

  net.Server.prototype.listen = function listen(...args) {
    const { options, callback } = listenArguments(args)
    if (!options || !isListenHost(options.host)) return originalListen.apply(this, args)
    const moved = { ...options, host: own.host, port: ownPort(Number(options.port) || 0) }
    return callback ? originalListen.call(this, moved, callback) : originalListen.call(this, moved)
  }

  dns.lookup = function lookup(host, options, callback) {
    const done = typeof options === 'function' ? options : callback
    const wanted = typeof options === 'object' && options ? options : { family: options }
    if (typeof host !== 'string' || typeof done !== 'function' || net.isIP(host) || isOwnHost(host)) {
      return originalLookup.apply(dns, arguments)
    }
    ask({ host, namespace: own.namespace }, (answer) => {
      if (!answer.host) originalLookup.call(dns, answer.outside || host, options, callback)
      else if (wanted.all) done(null, [{ address: answer.host, family: 4 }])
      else done(null, answer.host, 4)
    })
    return {}
  }

  if (originalPromisesLookup) {
    dns.promises.lookup = (host, options) => {
      if (typeof host !== 'string' || net.isIP(host) || isOwnHost(host)) {
        return originalPromisesLookup.call(dns.promises, host, options)
      }
      return new Promise((resolve) => ask({ host, namespace: own.namespace }, resolve)).then((answer) => {
        if (!answer.host) return originalPromisesLookup.call(dns.promises, answer.outside || host, options)
        const found = { address: answer.host, family: 4 }
        return options && options.all ? [found] : found
      })
    }
  }
  const { syncBuiltinESMExports } = require('module')
  if (syncBuiltinESMExports) syncBuiltinESMExports()

  /** Asks the cluster; an answer with nothing in it means that the cluster does not know, or is gone. */
  function ask(question, done) {
    const [host, port] = own.names.split(':')
    const socket = new net.Socket()
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => (text += chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => done(parsed(text)))
    originalConnect.call(socket, { host, port: Number(port) }, () =>
      socket.end(`${JSON.stringify(question)}\n`),
    )
  }

  function ownPort(port) {
    return own.ports[port] || port
  }

  /** So that the other side sees which Pod it is, where each has an address of its own. */
  function from(options) {
    return !options.localAddress && own.host !== '127.0.0.1' ? { localAddress: own.host } : {}
  }

  function isListenHost(host) {
    return (
      host === undefined ||
      host === '' ||
      /^(?:0\.0\.0\.0|::|\[::\])$/.test(host) ||
      host === own.podIP ||
      isOwnHost(host)
    )
  }
}

function parsed(text) {
  try {
    return JSON.parse(text) || {}
  } catch {
    return {}
  }
}

function addressFor(answer, host, port) {
  return answer.host ? { host: answer.host, port: answer.port || port } : undefined
}

/** The options and the callback of `connect`, in whichever form they came; none where it is not a port of a host. */
function connectArguments(args) {
  // Node's own callers hand over a list that they have read already.
  const list = Array.isArray(args[0]) ? args[0] : args
  const callback = list.find((value) => typeof value === 'function')
  const [first, second] = list
  if (typeof first === 'object' && first) return { options: first, callback }
  if (!isPort(first)) return {}
  return { options: { port: first, host: typeof second === 'string' ? second : undefined }, callback }
}

/** The same of `listen`. */
function listenArguments(args) {
  const callback = args.find((value) => typeof value === 'function')
  const [first, second, third] = args
  if (typeof first === 'object' && first) {
    const elsewhere = first.path !== undefined || first.fd !== undefined || first.port === undefined
    return elsewhere ? {} : { options: first, callback }
  }
  if (first !== undefined && typeof first !== 'function' && !isPort(first)) return {}
  const port = isPort(first) ? first : 0
  const host = typeof second === 'string' ? second : undefined
  const backlog = typeof second === 'number' ? second : typeof third === 'number' ? third : undefined
  return { options: backlog === undefined ? { port, host } : { port, host, backlog }, callback }
}

function isPort(value) {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
}

function isOwnHost(host) {
  return /^(?:localhost\.?|127\.0\.0\.1|::1|\[::1\])$/i.test(host)
}

function isClusterAddress(host) {
  return /^10\.(?:244|96)\.\d{1,3}\.\d{1,3}$/.test(host)
}

function refused(host, port) {
  const error = new Error(`connect ECONNREFUSED ${host}:${port}`)
  return Object.assign(error, { code: 'ECONNREFUSED', errno: -111, syscall: 'connect', address: host, port })
}
