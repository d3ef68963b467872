import { shortJson, type FindingMessages } from './messages.ts'

export const traditionalChinese: FindingMessages = {
  classes: {
    'endless-loop': {
      title: 'operator 永遠不停歇',
      remedy:
        'reconcile 寫入的東西引起了下一次 reconcile。只寫與所讀不同的內容，不要把計數與時間放進被 watch 的東西裡。',
    },
    'never-ends': {
      title: 'reconcile 不會結束',
      remedy: 'reconcile 在等待不會到來的東西。不要在裡面等待：回傳 `{ requeueAfter }`，稍後再看。',
    },
    'right-not-declared': {
      title: 'operator 送出了其宣告的權限不允許的請求',
      remedy: '在叢集上，API 伺服器會拒絕這個請求。依訊息所說，在控制器裡宣告。',
    },
    'callback-throws': {
      title: '對應、predicate 或索引函式拋出例外',
      remedy: '這樣的函式會看到該種類的每個物件，包括只寫了一半的。把每個選填欄位都當作可能缺少。',
    },
    'always-fails': {
      title: '沒有任何問題，reconcile 卻失敗',
      remedy: '檢查沒有製造任何故障，範例的 reconcile 仍然拋出例外。請修正錯誤，或更正範例。',
    },
    'writes-at-rest': {
      title: '什麼都沒變，新的行程卻寫入',
      remedy:
        'reconcile 每次算出的結果都不同：因為亂數、時間，或順序不同的清單。應從物件推導，或讀取已存的值並保留。',
    },
    crash: {
      title: '在兩個請求之間當掉，會留下不同的狀態',
      remedy:
        '下一個行程沒有完成上一個開始的事。每個決定都要根據 API 伺服器上現有的內容做出，並讓每一步都可以重複：由物件決定的名稱、`client.apply`，以及在第一次影響外部之前寫入的 finalizer。',
    },
    'failed-request': {
      title: '一次失敗的請求會留下不同的狀態',
      remedy:
        'reconcile 捕捉了錯誤，或者因為前面的步驟失敗而略過了一步。不要捕捉錯誤，這樣 reconcile 會再次被呼叫；並讓每一步都可以重複。',
    },
    'stale-cache': {
      title: '落後的快取會導致不同的狀態',
      remedy:
        '剛寫入的內容可能還不在快取裡。讓子物件的名稱由擁有者決定；根據「不存在」做決定之前，先問伺服器（`client.live`）。',
    },
    'not-healed': {
      title: '其他用戶端的改動沒有復原',
      remedy:
        'operator 沒有察覺改動，或沒有覆寫它。watch 這個種類（`owns`），並在每次 reconcile 時 apply 完整的期望狀態。',
    },
    'foreign-field-lost': {
      title: 'operator 移除了其他用戶端加上的內容',
      remedy:
        '別人的 label 與 annotation 必須保留。使用只寫自己欄位的 `client.apply`，或者在已有內容上添加。',
    },
    history: {
      title: '狀態取決於以前的 spec',
      remedy:
        '把物件改成某個 spec 的結果，與一開始就用那個 spec 建立的結果不同。只根據 spec 計算子物件，移除它不再要求的東西，並像對待建立一樣對待改動。',
    },
    'left-behind': {
      title: '刪除之後留下了物件',
      remedy: '給每個子物件加上擁有者參照；做不到時（另一個 namespace、叢集範圍），在 finalizer 裡移除它。',
    },
    'deletion-stuck': {
      title: '刪除不會結束',
      remedy:
        'finalizer 沒有移除。移除已經不存在的東西必須算作完成，而且每條成功的路徑都必須移除 finalizer。',
    },
    recreation: {
      title: '刪除後重新建立的物件得到了不同的狀態',
      remedy:
        'operator 把新物件當成了舊物件。比較 uid，不要只依名稱在記憶體裡保存東西，也不要沿用舊物件的子物件。',
    },
    'not-isolated': {
      title: '一個物件改動了屬於另一個物件的東西',
      remedy: '兩個物件共用一個子物件或 label。在名稱與 selector 裡寫入擁有者完整的名稱與 namespace。',
    },
    'takes-over': {
      title: 'operator 接管了屬於另一個控制器的物件',
      remedy:
        '寫入物件之前，先查看它的控制器。`setControllerReference` 會拒絕另一個控制器的物件；物件已存在時，create 會失敗。',
    },
    'late-pods': {
      title: '狀態取決於 Pod 何時就緒',
      remedy: 'watch 工作負載（`owns`），並在每次變動時計算 status，而不是只算一次。',
    },
    reference: {
      title: 'operator 忽略了後來才建立或改動的被參照物件',
      remedy: 'watch 被參照物件的種類，並把它的事件對應到參照它的物件。',
    },
    downtime: {
      title: 'operator 停機期間發生的事沒有補上',
      remedy:
        '新的行程收不到在它啟動之前已刪除的物件的事件。每次 reconcile 時，都把現有的一切與應有的相比較。期間到期的工作雖然遲了，仍必須完成。',
    },
    combination: {
      title: '兩個故障疊加會留下不同的狀態',
      remedy:
        '每個故障單獨出現時，operator 都能挺過去；但第二個故障打斷了從第一個恢復的過程。恢復的每一步也都要根據 API 伺服器現有的內容推導。',
    },
    interleaving: {
      title: '狀態取決於兩個 reconcile 如何交疊',
      remedy:
        '一個 reconcile 讀取之後，另一個 reconcile 寫入了，然後前一個又根據舊的讀取寫入。不要在 reconcile 之間共用變數，讓 API 伺服器來決定：用 `client.apply`，或帶著所讀版本的 update。',
    },
    'status-ahead': {
      title: 'observedGeneration 跑在已完成的工作前面',
      remedy:
        'status 說 operator 已處理最近的改動，但子物件仍是改動之前的狀態。在工作完成之後，寫入 reconcile 開始時讀到的 generation。',
    },
    'status-untrue': {
      title: 'status 在就緒之前就說已就緒',
      remedy: '就緒是在工作負載建立時寫入的，而不是在它就緒時。每次 reconcile 都根據工作負載的 status 計算。',
    },
    growth: {
      title: '有東西無止境地增長',
      remedy:
        '每次改動或每過一小時，都會留下一些東西。請刪除最舊的，或者只保留最後幾個：一個物件最多 1.5 MB。',
    },
    invariant: {
      title: '作者宣告的不變式不成立',
      remedy: '在情境的某一刻，物件違反了不變式。請檢查寫入的順序，以及其他用戶端在其間可能寫入什麼。',
    },
    external: {
      title: '外部系統的狀態不對',
      remedy:
        '在第一次影響外部之前，先把 finalizer 寫入物件；外部的名稱由物件的 uid 推導，並讓每次呼叫都可以重複。',
    },
    'machine-clock': {
      title: 'operator 使用機器的時鐘、計時器、亂數或網路',
      remedy:
        '測試無法推進或重複它們。請使用 reconcile 的 context 的 `clock.now()`、`clock.sleep()` 與 `clock.random()`。透過自己的物件呼叫外部系統，讓測試用替身代替它。',
    },
    'check-failed': {
      title: '無法檢查這個 operator',
      remedy: '訊息說明了原因。',
    },
  },
  external: (name) => `外部系統 ${name}`,
  failures: {
    409: '伺服器回答 409 Conflict',
    429: '伺服器回答 429 Too Many Requests',
    500: '伺服器回答 500 Internal Server Error',
    503: '伺服器回答 503 Service Unavailable',
    'not sent': '它沒有到達伺服器',
    'answer lost': '伺服器執行了它，但回應遺失',
  },
  pods: {
    ready: 'Pod 立即就緒',
    late: 'Pod 在兩分鐘後就緒',
    never: 'Pod 永遠不會就緒：映像檔無法拉取',
    failing: 'Pod 失敗',
  },
  steps: {
    create: ({ object, owner, content }) => {
      if (owner !== undefined) return `另一個控制器建立屬於其 ${owner} 的 ${object}`
      return content === undefined
        ? `使用者建立 ${object}`
        : `使用者建立 ${object}，內容為 ${JSON.stringify(content)}`
    },
    change: ({ object, content }) => `使用者把 ${object} 改為 ${JSON.stringify(content)}`,
    delete: ({ object }) => `使用者刪除 ${object}`,
    remove: ({ object }) => `另一個用戶端刪除 ${object}`,
    edit: ({ object, path, value }) =>
      value === undefined
        ? `另一個用戶端移除 ${object} 的 ${path}`
        : `另一個用戶端把 ${object} 的 ${path} 設為 ${JSON.stringify(value)}`,
    repeat: ({ times, steps }, tell) => `重複 ${times} 次：${steps.map(tell).join('，然後')}`,
    rest: () => 'operator 一直執行到沒有事情可做',
    wait: ({ duration }) => `過去 ${duration}`,
    stop: () => 'operator 停止',
    start: () => 'operator 啟動',
    crash: ({ request, moment, staysDown }) =>
      `operator 在從此處起的第 ${request} 個請求${moment === 'before' ? '送出之前' : '由伺服器執行之後'}被終止，${staysDown ? '並保持停機' : '然後重新啟動'}`,
    fail: ({ request, failure }) =>
      `operator 從此處起的第 ${request} 個請求失敗：${traditionalChinese.failures[failure]}`,
    slow: ({ request }) => `operator 從此處起的第 ${request} 個請求過半分鐘才到達伺服器`,
    hold: ({ kind }) => `operator 的快取不再收到 ${kind} 的變動`,
    stale: ({ kind }) => `operator 的下一個行程最初看到的 ${kind} 是此刻的樣子`,
    release: ({ kind }) => `operator 的快取收到錯過的 ${kind} 變動`,
    note: () => '記下此刻的狀態',
    pods: ({ behaviour }) => traditionalChinese.pods[behaviour],
  },
  facts: {
    difference: ({ object, path, expected, found }) => {
      const what = path === '' ? object : `${object} 的 ${path}`
      if (found === undefined) return `缺少 ${what}`
      if (expected === undefined) return `${what} 不應存在，卻存在`
      return `${what} 是 ${shortJson(found)}，而不是 ${shortJson(expected)}`
    },
    deletes: ({ object }) => `operator 刪除了應當保留的 ${object}`,
    'not deleted': ({ object }) => `使用者已刪除 ${object}，它卻仍然存在`,
    'left behind': ({ object, left }) => `${object} 已不存在，而 operator 留下了：${left.join('、')}`,
    'left outside': ({ object }) => `刪除之後，${object} 中還留有東西`,
    'finalizer removed': ({ object, finalizer }) =>
      `operator 移除了 ${object} 的 finalizer ${finalizer}，而它屬於另一個控制器`,
    'many writes': ({ path, count }) => `operator 在十分鐘內寫入 ${path} ${count} 次`,
    'long reconcile': ({ controller, name, minutes }) =>
      `控制器 ${controller} 對 ${name} 的 reconcile 已進行 ${minutes} 分鐘，仍未結束`,
    'reconcile fails': ({ controller, name, message, throws }) =>
      throws === undefined
        ? `控制器 ${controller} 在 ${name} 上失敗：${message}`
        : `控制器 ${controller} 在 ${name} 上拋出例外：${throws}: ${message}`,
    'changed by restart': ({ object }) => `什麼都沒發生，新的行程卻改動了 ${object}`,
    'called by restart': ({ object }) => `只有新的行程才改動 ${object}：Pod 就緒時沒有呼叫 operator`,
    'updated by restart': ({ path }) => `什麼都沒發生，新的行程卻 update 了 ${path}，而且什麼也沒改變`,
    'says ready': ({ object, by, value, workload }) =>
      `${workload} 的 Pod 尚未就緒，${object} 的${by === 'condition' ? '狀況' : '階段'}卻是 ${value}`,
    'more objects': ({ size, half, example }) => `有 ${size} 個物件，而重複到一半時有 ${half} 個：${example}`,
    larger: ({ object, path, size, half, unit }) =>
      `${object} 的 ${path} 有 ${size} ${unit === 'characters' ? '個字元' : '項'}，而重複到一半時有 ${half}`,
    'uses machine': ({ what }) => `operator 呼叫了機器的 ${what}`,
    'sample refused': ({ object, message }) => `伺服器拒絕了範例 ${object}：${message}`,
    invariant: ({ name, message }) => `${name}：${message}`,
    message: ({ message }) => `錯誤訊息：${message}`,
  },
}
