import { shortJson, type FindingMessages } from './messages.ts'

export const japanese: FindingMessages = {
  classes: {
    'endless-loop': {
      title: 'オペレーターがいつまでも落ち着かない',
      remedy:
        'reconcile が書いたものが、次の reconcile を起こしています。読んだものと違うところだけを書き、回数や時刻は、watch しているものに入れないでください。',
    },
    'never-ends': {
      title: 'reconcile が終わらない',
      remedy:
        'reconcile が、来ないものを待っています。中で待たずに `{ requeueAfter }` を返し、あとでまた見てください。',
    },
    'right-not-declared': {
      title: '宣言した権限で許されないリクエストを、オペレーターが送る',
      remedy:
        'クラスターでは、API サーバーがこのリクエストを拒否します。メッセージのとおりに、コントローラーで宣言してください。',
    },
    'callback-throws': {
      title: '対応づけ、predicate、インデックスの関数が例外を投げる',
      remedy:
        'この関数は、書きかけのものも含め、その kind のすべてのオブジェクトを見ます。省略できるフィールドは、どれもないものとして扱ってください。',
    },
    'always-fails': {
      title: '何も悪くないのに reconcile が失敗する',
      remedy:
        'チェックは何の障害も起こしていないのに、サンプルの reconcile が例外を投げます。エラーを直すか、サンプルを正してください。',
    },
    'writes-at-rest': {
      title: '何も変わっていないのに、新しいプロセスが書く',
      remedy:
        'reconcile の計算結果が、乱数、時刻、順序の違うリストなどのせいで毎回変わります。オブジェクトから導くか、いまある値を読んで保ってください。',
    },
    crash: {
      title: '二つのリクエストの間で落ちると、違う状態が残る',
      remedy:
        '前のプロセスの始めたことを、次のプロセスが終わらせていません。どの判断も API サーバーにあるものから下し、どの段階も繰り返せるようにしてください。オブジェクトから決まる名前、`client.apply`、外部への最初の作用の前の finalizer が役に立ちます。',
    },
    'failed-request': {
      title: '一度失敗したリクエストが、違う状態を残す',
      remedy:
        'reconcile がエラーを捕まえているか、先の段階の失敗のために段階を飛ばしています。エラーは捕まえずに reconcile がまた呼ばれるようにし、どの段階も繰り返せるようにしてください。',
    },
    'stale-cache': {
      title: '遅れたキャッシュが、違う状態に導く',
      remedy:
        '書いたばかりのものが、キャッシュにまだないことがあります。子の名前は所有者から決まるようにし、「ない」ことに基づいて判断する前には、サーバーに尋ねてください（`client.live`）。',
    },
    'not-healed': {
      title: 'ほかのクライアントによる変更が元に戻らない',
      remedy:
        'オペレーターが変更に気づかないか、上書きしていません。その kind を watch し（`owns`）、reconcile のたびに、望む状態の全体を apply してください。',
    },
    'foreign-field-lost': {
      title: 'ほかのクライアントが加えたものを、オペレーターが取り除く',
      remedy:
        'ほかのもののラベルと annotation は残さなければなりません。自分のフィールドだけを書く `client.apply` を使うか、いまあるものに加えてください。',
    },
    history: {
      title: '状態が、以前の spec による',
      remedy:
        'オブジェクトをある spec に変えた結果が、その spec で作った結果と違います。子は spec だけから計算し、spec がもう求めないものは取り除き、作成と同じように変更にも応じてください。',
    },
    'left-behind': {
      title: '削除しても、オブジェクトが残る',
      remedy:
        'どの子にも所有者への参照を付けてください。それができないとき（別の名前空間、クラスタースコープ）は、finalizer で削除してください。',
    },
    'deletion-stuck': {
      title: '削除が終わらない',
      remedy:
        'finalizer が外されていません。もうないものの削除は済んだものと見なし、成功するどの道筋でも finalizer を外してください。',
    },
    recreation: {
      title: '削除されて作り直されたオブジェクトが、違う状態になる',
      remedy:
        'オペレーターが、新しいオブジェクトを古いものと取り違えています。uid を比べ、名前だけをキーにしてメモリーに持たず、古いオブジェクトの子を使い回さないでください。',
    },
    'not-isolated': {
      title: 'あるオブジェクトが、別のオブジェクトのものを変える',
      remedy:
        '二つのオブジェクトが、子またはラベルを共有しています。名前とセレクターには、所有者の名前と名前空間の全体を入れてください。',
    },
    'takes-over': {
      title: 'ほかのコントローラーのオブジェクトを、オペレーターが奪う',
      remedy:
        'オブジェクトを書く前に、そのコントローラーを確かめてください。`setControllerReference` はほかのコントローラーのオブジェクトを拒み、create はオブジェクトがあれば失敗します。',
    },
    'late-pods': {
      title: '状態が、Pod の準備ができる時期による',
      remedy: 'ワークロードを watch し（`owns`）、status を一度だけでなく、変わるたびに計算してください。',
    },
    reference: {
      title: 'あとから作られたり変わったりした参照先を、オペレーターが取り込まない',
      remedy: '参照先の kind を watch し、そのイベントを、それを名指すオブジェクトに対応づけてください。',
    },
    downtime: {
      title: '止まっていた間のことを、オペレーターが取り戻さない',
      remedy:
        '新しいプロセスには、起動の前に削除されたオブジェクトのイベントは届きません。reconcile のたびに、あるものすべてを、あるべきものと比べてください。その間に期限が来たことは、遅れてでも行わなければなりません。',
    },
    combination: {
      title: '二つの障害が重なると、違う状態が残る',
      remedy:
        '障害は一つずつなら乗り越えられますが、一つめからの復帰を二つめが中断します。復帰のどの段階も、API サーバーにいまあるものから導いてください。',
    },
    interleaving: {
      title: '状態が、二つの reconcile の重なり方による',
      remedy:
        'ある reconcile が読んだあと、別の reconcile が書き、そのあと最初の reconcile が、古い読み込みに基づいて書いています。reconcile の間で変数を共有せず、API サーバーに決めさせてください。`client.apply`、または読んだバージョンによる update を使います。',
    },
    'status-ahead': {
      title: 'observedGeneration が、済んだことより先に進む',
      remedy:
        'status は最後の変更に応じたと言いますが、子はその前の状態のままです。reconcile がはじめに読んだ generation を、作業のあとで書いてください。',
    },
    'status-untrue': {
      title: 'status が、準備のできる前にできたと言う',
      remedy:
        '準備完了が、ワークロードの準備ができたときではなく、作られたときに書かれています。reconcile のたびに、ワークロードの status から計算してください。',
    },
    growth: {
      title: '何かが際限なく増える',
      remedy:
        '変更のたびに、または一時間ごとに、何かが残ります。いちばん古いものを消すか、最後のいくつかだけを残してください。オブジェクトの大きさは 1.5 MB までです。',
    },
    invariant: {
      title: '作者の不変条件が成り立たない',
      remedy:
        'シナリオのある時点で、オブジェクトが不変条件に反します。書き込みの順序と、その間にほかのクライアントが書くかもしれないものを確かめてください。',
    },
    external: {
      title: '外部のシステムが、あるべき状態でない',
      remedy:
        '外部への最初の作用の前に、オブジェクトに finalizer を書いてください。外部での名前はオブジェクトの uid から導き、どの呼び出しも繰り返せるようにしてください。',
    },
    'machine-clock': {
      title: 'オペレーターが、マシンの時計、タイマー、乱数、ネットワークを使う',
      remedy:
        'テストは、これらを進めることも繰り返すこともできません。reconcile のコンテキストの `clock.now()`、`clock.sleep()`、`clock.random()` を使ってください。外部のシステムは自分のオブジェクトを通して呼び、テストでは代わりのものに置き換えてください。',
    },
    'check-failed': {
      title: 'オペレーターを検査できない',
      remedy: '理由はメッセージにあります。',
    },
  },
  external: (name) => `外部システム ${name}`,
  failures: {
    409: 'サーバーが 409 Conflict と答える',
    429: 'サーバーが 429 Too Many Requests と答える',
    500: 'サーバーが 500 Internal Server Error と答える',
    503: 'サーバーが 503 Service Unavailable と答える',
    'not sent': 'サーバーに届かない',
    'answer lost': 'サーバーは実行するが、応答が失われる',
  },
  pods: {
    ready: 'Pod はすぐに準備完了になる',
    late: 'Pod は 2 分後に準備完了になる',
    never: 'Pod は準備完了にならない（イメージを取得できない）',
    failing: 'Pod は失敗する',
  },
  steps: {
    create: ({ object, owner, content }) => {
      if (owner !== undefined) return `別のコントローラーが、自分の ${owner} に属する ${object} を作成する`
      return content === undefined
        ? `ユーザーが ${object} を作成する`
        : `ユーザーが ${object} を ${JSON.stringify(content)} として作成する`
    },
    change: ({ object, content }) => `ユーザーが ${object} を ${JSON.stringify(content)} に変更する`,
    delete: ({ object }) => `ユーザーが ${object} を削除する`,
    remove: ({ object }) => `別のクライアントが ${object} を削除する`,
    edit: ({ object, path, value }) =>
      value === undefined
        ? `別のクライアントが ${object} の ${path} を取り除く`
        : `別のクライアントが ${object} の ${path} を ${JSON.stringify(value)} にする`,
    repeat: ({ times, steps }, tell) => `${times} 回繰り返す: ${steps.map(tell).join('、次に')}`,
    rest: () => 'オペレーターが、することがなくなるまで動く',
    wait: ({ duration }) => `${duration} たつ`,
    stop: () => 'オペレーターが停止する',
    start: () => 'オペレーターが起動する',
    crash: ({ request, moment, staysDown }) =>
      `ここから ${request} 番目のリクエスト${moment === 'before' ? 'が送られる前' : 'をサーバーが実行したあと'}に、オペレーターが強制終了され、${staysDown ? '止まったままになる' : '再び起動する'}`,
    fail: ({ request, failure }) =>
      `オペレーターの、ここから ${request} 番目のリクエストが失敗する: ${japanese.failures[failure]}`,
    slow: ({ request }) =>
      `オペレーターの、ここから ${request} 番目のリクエストが、30 秒遅れてサーバーに届く`,
    hold: ({ kind }) => `オペレーターのキャッシュに、${kind} の変化が届かなくなる`,
    stale: ({ kind }) => `オペレーターの次のプロセスは、はじめに ${kind} を今の状態で見る`,
    release: ({ kind }) => `オペレーターのキャッシュに、届いていなかった ${kind} の変化が届く`,
    note: () => 'ここで状態を記録する',
    pods: ({ behaviour }) => japanese.pods[behaviour],
  },
  facts: {
    difference: ({ object, path, expected, found }) => {
      const what = path === '' ? object : `${object} の ${path}`
      if (found === undefined) return `${what} がありません`
      if (expected === undefined) return `あるはずのない ${what} があります`
      return `${what} が、${shortJson(expected)} ではなく ${shortJson(found)} です`
    },
    deletes: ({ object }) => `残るべき ${object} を、オペレーターが削除します`,
    'not deleted': ({ object }) => `ユーザーが削除した ${object} が、まだあります`,
    'left behind': ({ object, left }) =>
      `${object} はなくなりましたが、オペレーターが次のものを残しています: ${left.join('、')}`,
    'left outside': ({ object }) => `削除のあと、${object} に何かが残っています`,
    'finalizer removed': ({ object, finalizer }) =>
      `ほかのコントローラーのものである ${object} の finalizer ${finalizer} を、オペレーターが外します`,
    'many writes': ({ path, count }) => `オペレーターが、10 分間に ${path} を ${count} 回書きます`,
    'long reconcile': ({ controller, name, minutes }) =>
      `コントローラー ${controller} は ${minutes} 分前から ${name} を reconcile していて、終わりません`,
    'reconcile fails': ({ controller, name, message, throws }) =>
      throws === undefined
        ? `コントローラー ${controller} が ${name} で失敗します: ${message}`
        : `コントローラー ${controller} が ${name} で例外を投げます: ${throws}: ${message}`,
    'changed by restart': ({ object }) => `何も起きていないのに、新しいプロセスが ${object} を変えます`,
    'called by restart': ({ object }) =>
      `${object} を変えるのは新しいプロセスだけです。Pod の準備ができたとき、オペレーターは呼ばれませんでした`,
    'updated by restart': ({ path }) =>
      `何も起きていないのに、新しいプロセスが ${path} を update し、何も変えません`,
    'says ready': ({ object, by, value, workload }) =>
      `${workload} の Pod の準備ができていないのに、${object} の${by === 'condition' ? 'コンディション' : 'フェーズ'}は ${value} です`,
    'more objects': ({ size, half, example }) =>
      `オブジェクトが ${size} 個あり、繰り返しの半分の時点では ${half} 個でした: ${example}`,
    larger: ({ object, path, size, half, unit }) =>
      `${object} の ${path} は ${size} ${unit === 'characters' ? '文字' : '項目'}で、繰り返しの半分の時点では ${half} でした`,
    'uses machine': ({ what }) => `オペレーターが、マシンの ${what} を呼び出します`,
    'sample refused': ({ object, message }) => `サーバーがサンプル ${object} を拒否します: ${message}`,
    invariant: ({ name, message }) => `${name}: ${message}`,
    message: ({ message }) => `エラーメッセージ: ${message}`,
  },
}
