import { chooseLanguage, language, LANGUAGES, texts } from '../language/index.ts'

/** Chooses the language of the page. */
export function LanguageChoice({ onChoose }: { onChoose: () => void }) {
  return (
    <select
      aria-label={texts().language}
      value={language()}
      onChange={(event) => {
        chooseLanguage(event.currentTarget.value)
        onChoose()
      }}
    >
      {Object.entries(LANGUAGES).map(([tag, each]) => (
        <option key={tag} value={tag} lang={tag}>
          {each?.name}
        </option>
      ))}
    </select>
  )
}
