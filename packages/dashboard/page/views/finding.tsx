import type { ShownDifference, ShownFinding } from '../../src/recording/story.ts'
import { classWords, guideAddress, objectText, stepText, summaryText } from '../model/finding-text.ts'
import { language, texts } from '../language/index.ts'

/** What is wrong, in one sentence, and what the runtime says of it. */
export function FindingSummary({ finding }: { finding: ShownFinding }) {
  const { details } = finding
  return (
    <>
      <p class="lead is-bad">{summaryText(finding, language())}</p>
      {details !== undefined && <pre class="error">{details}</pre>}
    </>
  )
}

/** How the story of a finding ends, how it should end, and what to do. */
export function FindingEnd({ finding }: { finding: ShownFinding }) {
  const t = texts()
  const { differences, shouldEndAs, line, page } = finding
  return (
    <>
      {differences.length > 0 && <Differences differences={differences} />}
      {shouldEndAs && (
        <>
          <h3>{t.shouldEndAs}</h3>
          {shouldEndAs.length === 0 ? (
            <p>{t.asItBegan}</p>
          ) : (
            <ul class="causes">
              {shouldEndAs.map((step, index) => (
                <li key={index}>{stepText(step, language())}</li>
              ))}
            </ul>
          )}
        </>
      )}
      <h3>{t.whatToDo}</h3>
      <p>
        <Words text={classWords(finding, language()).remedy} />
      </p>
      {line !== undefined && (
        <p class="place">
          {t.lineOfCode} <code>{line}</code>
        </p>
      )}
      {page.startsWith('https://') && (
        <p class="place">
          <a href={guideAddress(page, language())} target="_blank" rel="noreferrer">
            {t.explained}
          </a>
        </p>
      )}
    </>
  )
}

/** A text in which parts between backquotes are code. */
export function Words({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>
  )
}

/** How the final state differs from the expected one. */
function Differences({ differences }: { differences: readonly ShownDifference[] }) {
  const t = texts()
  return (
    <>
      <h3>{t.endsDifferently}</h3>
      {differences.map(({ object, path, expected, found }) => (
        <div key={`${object} ${path}`} class="difference">
          <p>
            {objectText(object, language())} {path !== '' && <code>{path}</code>}
          </p>
          <dl>
            <dt>{t.expected}</dt>
            <dd class="is-expected">{valueText(expected)}</dd>
            <dt>{t.found}</dt>
            <dd class="is-found">{valueText(found)}</dd>
          </dl>
        </div>
      ))}
    </>
  )
}

function valueText(value: unknown): string {
  return value === undefined ? texts().absent : JSON.stringify(value, undefined, 2)
}
