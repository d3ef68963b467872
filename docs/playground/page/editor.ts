import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { Files } from '../worker/messages.ts'
import { completionByTypes, hoverByTypes } from './editor-types.ts'
import type { TypesSession } from './types-session.ts'

/** The colours are variables of the page's style sheet, so that they follow light and dark. */
const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', backgroundColor: 'var(--card)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'var(--card)', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--line-active)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--card)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap', maxWidth: '70ch' },
  '.cm-name': { maxWidth: '70ch', maxHeight: '40vh', overflow: 'auto', padding: '6px 10px' },
  '.cm-name code': { fontFamily: 'var(--mono)', whiteSpace: 'pre-wrap' },
  '.cm-name p': { margin: '6px 0 0' },
})

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.typeName, tags.className], color: 'var(--code-type)' },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
    color: 'var(--code-function)',
  },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
])

/** What is wrong at a place of a file: between two characters, or in a line, which counts from 1. */
export interface Mark {
  readonly file: string
  readonly place: { readonly from: number; readonly to: number } | { readonly line: number }
  readonly message: string
  readonly severity: 'error' | 'warning'
}

export interface EditorOptions {
  readonly label: string
  readonly types: TypesSession
  readonly onChange: () => void
}

/** An editor for the files of an operator, one of which is shown. */
export class Editor {
  readonly #view: EditorView
  readonly #states = new Map<string, EditorState>()
  readonly #extensions: Extension
  readonly #onChange: () => void
  #file = ''

  constructor(place: HTMLElement, options: EditorOptions) {
    this.#onChange = options.onChange
    const code = () => ({ files: this.files, file: this.#file })
    this.#extensions = [
      lineNumbers(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ override: [completionByTypes(options.types, code)] }),
      hoverByTypes(options.types, code),
      highlightActiveLine(),
      highlightSelectionMatches(),
      javascript({ typescript: true }),
      syntaxHighlighting(colours),
      theme,
      EditorView.contentAttributes.of({ 'aria-label': options.label }),
      // Tab is not bound, so that the keyboard leads out of the editor.
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...completionKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return
        this.#states.set(this.#file, update.state)
        this.#onChange()
      }),
    ]
    // In a shadow root the editor adopts its style sheets, and needs no inline style, which the page forbids.
    const root = place.attachShadow({ mode: 'open' })
    this.#view = new EditorView({ parent: root, root })
    // Long lines are read by scrolling, also with the keyboard alone.
    this.#view.scrollDOM.tabIndex = 0
  }

  /** The texts as they are now. */
  get files(): Files {
    return Object.fromEntries([...this.#states].map(([file, state]) => [file, state.doc.toString()]))
  }

  /** Edits other files. */
  open(files: Files, shown: string): void {
    this.#states.clear()
    this.#file = ''
    for (const [file, doc] of Object.entries(files)) {
      this.#states.set(file, EditorState.create({ doc, extensions: this.#extensions }))
    }
    this.show(shown)
  }

  /** Shows one of the files. */
  show(file: string): void {
    const state = this.#states.get(file)
    if (!state) return
    if (this.#states.has(this.#file) && this.#view.state !== state)
      this.#states.set(this.#file, this.#view.state)
    this.#file = file
    this.#view.setState(this.#states.get(file) ?? state)
  }

  /** Marks what is wrong in the file that is shown. */
  mark(marks: readonly Mark[]): void {
    const { doc } = this.#view.state
    const found: Diagnostic[] = []
    for (const { file, place, message, severity } of marks) {
      if (file !== this.#file) continue
      const { from, to } = 'line' in place ? doc.line(Math.min(Math.max(1, place.line), doc.lines)) : place
      if (to <= doc.length) found.push({ from, to, severity, message })
    }
    this.#view.dispatch(setDiagnostics(this.#view.state, found))
  }

  focus(): void {
    this.#view.focus()
  }
}
