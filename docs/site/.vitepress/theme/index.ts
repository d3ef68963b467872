import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import { TryIt, TryItAbove } from './try-it.ts'
import './style.css'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, undefined, { 'doc-before': () => h(TryItAbove) }),
  enhanceApp: ({ app }) => void app.component('TryIt', TryIt),
} satisfies Theme
