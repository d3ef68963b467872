import { render } from 'preact'
import { startLanguage } from './language/index.ts'
import { ask, LiveConnection } from './model/connect.ts'
import { Store } from './model/store.ts'
import { App } from './views/app.tsx'

/** How often the page is drawn although nothing happened, in milliseconds: time goes on. */
const TICK = 250

const place = document.querySelector('#page')
if (place) {
  startLanguage()
  const store = new Store(ask)
  const live = new LiveConnection(store)
  let isAsked = false
  const draw = (): void => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(() => {
      isAsked = false
      render(<App store={store} live={live} now={Date.now()} />, place)
    })
  }
  store.onChange(draw)
  setInterval(draw, TICK)
  live.open()
  draw()
}
