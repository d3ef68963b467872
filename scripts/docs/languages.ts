/** The languages of the site, and the words of its frame in each. Pages in English stand at the root. */
export interface Language {
  /** The folder of its pages, in the site and in `docs/guide/`. */
  readonly folder: '' | 'zh-Hant' | 'zh-Hans' | 'ja'
  readonly lang: string
  readonly label: string
  readonly words: Words
}

interface Words {
  readonly home: string
  readonly guide: string
  readonly recipes: string
  readonly playground: string
  /** Opens an example of a chapter in the chapter. */
  readonly tryIt: string
  readonly closeIt: string
  /** Leads from a chapter to its example in the playground. */
  readonly tryItAlone: string
  readonly reference: string
  readonly packages: string
  readonly examples: string
  readonly decisions: string
  readonly project: string
  readonly glossary: string
  readonly onThisPage: string
  readonly previous: string
  readonly next: string
  readonly menu: string
  readonly top: string
  readonly languages: string
  readonly appearance: string
  readonly edit: string
  readonly search: string
  readonly noResults: string
  readonly reset: string
  readonly select: string
  readonly navigate: string
  readonly close: string
  /** Stands above a page that has no translation. */
  readonly untranslated: string
}

export const LANGUAGES: readonly Language[] = [
  {
    folder: '',
    lang: 'en',
    label: 'English',
    words: {
      home: 'Start',
      guide: 'Guide',
      recipes: 'Recipes',
      playground: 'Playground',
      tryIt: 'Try it here',
      closeIt: 'Close the playground',
      tryItAlone: 'Open it as a page',
      reference: 'API reference',
      packages: 'Packages',
      examples: 'Examples',
      decisions: 'Decisions',
      project: 'The project',
      glossary: 'Glossary',
      onThisPage: 'On this page',
      previous: 'Previous page',
      next: 'Next page',
      menu: 'Menu',
      top: 'Back to the top',
      languages: 'Languages',
      appearance: 'Appearance',
      edit: 'Edit this page',
      search: 'Search',
      noResults: 'No results for',
      reset: 'Clear the search',
      select: 'to open',
      navigate: 'to move',
      close: 'to close',
      untranslated: '',
    },
  },
  {
    folder: 'zh-Hant',
    lang: 'zh-Hant',
    label: '繁體中文',
    words: {
      home: '開始',
      guide: '指南',
      recipes: '實作範例',
      playground: '演練場',
      tryIt: '在這裡試試',
      closeIt: '關閉演練場',
      tryItAlone: '以獨立頁面開啟',
      reference: 'API 參考',
      packages: '套件',
      examples: '範例',
      decisions: '設計決策',
      project: '專案',
      glossary: '詞彙表',
      onThisPage: '本頁內容',
      previous: '上一頁',
      next: '下一頁',
      menu: '選單',
      top: '回到頂端',
      languages: '語言',
      appearance: '外觀',
      edit: '編輯此頁',
      search: '搜尋',
      noResults: '找不到結果：',
      reset: '清除搜尋',
      select: '開啟',
      navigate: '移動',
      close: '關閉',
      untranslated: '這一頁還沒有中文版本，以下是英文原文。',
    },
  },
  {
    folder: 'zh-Hans',
    lang: 'zh-Hans',
    label: '简体中文',
    words: {
      home: '开始',
      guide: '指南',
      recipes: '实用示例',
      playground: '演练场',
      tryIt: '在这里试试',
      closeIt: '关闭演练场',
      tryItAlone: '以独立页面打开',
      reference: 'API 参考',
      packages: '包',
      examples: '示例',
      decisions: '设计决策',
      project: '项目',
      glossary: '词汇表',
      onThisPage: '本页内容',
      previous: '上一页',
      next: '下一页',
      menu: '菜单',
      top: '回到顶部',
      languages: '语言',
      appearance: '外观',
      edit: '编辑此页',
      search: '搜索',
      noResults: '没有找到结果：',
      reset: '清除搜索',
      select: '打开',
      navigate: '移动',
      close: '关闭',
      untranslated: '这一页还没有中文版本，以下是英文原文。',
    },
  },
  {
    folder: 'ja',
    lang: 'ja',
    label: '日本語',
    words: {
      home: 'はじめに',
      guide: 'ガイド',
      recipes: 'レシピ',
      playground: 'プレイグラウンド',
      tryIt: 'ここで試す',
      closeIt: 'プレイグラウンドを閉じる',
      tryItAlone: '単独のページで開く',
      reference: 'API リファレンス',
      packages: 'パッケージ',
      examples: 'サンプル',
      decisions: '設計上の決定',
      project: 'プロジェクト',
      glossary: '用語集',
      onThisPage: 'このページの内容',
      previous: '前のページ',
      next: '次のページ',
      menu: 'メニュー',
      top: '先頭へ戻る',
      languages: '言語',
      appearance: '外観',
      edit: 'このページを編集',
      search: '検索',
      noResults: '見つかりませんでした：',
      reset: '検索をクリア',
      select: '開く',
      navigate: '移動',
      close: '閉じる',
      untranslated: 'このページにはまだ日本語訳がありません。以下は英語の原文です。',
    },
  },
]
