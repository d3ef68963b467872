import { shortJson, type FindingMessages } from './messages.ts'

export const simplifiedChinese: FindingMessages = {
  classes: {
    'endless-loop': {
      title: 'operator 永远不停歇',
      remedy:
        'reconcile 写入的东西引起了下一次 reconcile。只写与所读不同的内容，不要把计数和时间放进被 watch 的东西里。',
    },
    'never-ends': {
      title: 'reconcile 不会结束',
      remedy: 'reconcile 在等待不会到来的东西。不要在里面等待：返回 `{ requeueAfter }`，稍后再看。',
    },
    'right-not-declared': {
      title: 'operator 发送了其声明的权限不允许的请求',
      remedy: '在集群上，API 服务器会拒绝这个请求。按消息所说，在控制器里声明。',
    },
    'callback-throws': {
      title: '映射、predicate 或索引函数抛出异常',
      remedy: '这样的函数会看到该种类的每个对象，包括只写了一半的。把每个可选字段都当作可能缺失。',
    },
    'always-fails': {
      title: '没有任何问题，reconcile 却失败',
      remedy: '检查没有制造任何故障，示例的 reconcile 仍然抛出异常。请修正错误，或更正示例。',
    },
    'writes-at-rest': {
      title: '什么都没变，新的进程却写入',
      remedy:
        'reconcile 每次算出的结果都不同：因为随机值、时间，或顺序不同的列表。应从对象推导，或者读取已存的值并保留。',
    },
    crash: {
      title: '在两个请求之间崩溃，会留下不同的状态',
      remedy:
        '下一个进程没有完成上一个开始的事。每个决定都要根据 API 服务器上现有的内容做出，并让每一步都可以重复：由对象决定的名字、`client.apply`，以及在第一次影响外部之前写入的 finalizer。',
    },
    'failed-request': {
      title: '一次失败的请求会留下不同的状态',
      remedy:
        'reconcile 捕获了错误，或者因为前面的步骤失败而跳过了一步。不要捕获错误，这样 reconcile 会再次被调用；并让每一步都可以重复。',
    },
    'stale-cache': {
      title: '落后的缓存会导致不同的状态',
      remedy:
        '刚写入的内容可能还不在缓存里。让子对象的名字由所有者决定；根据“不存在”做决定之前，先问服务器（`client.live`）。',
    },
    'not-healed': {
      title: '其他客户端的改动没有复原',
      remedy:
        'operator 没有察觉改动，或没有覆盖它。watch 这个种类（`owns`），并在每次 reconcile 时 apply 完整的期望状态。',
    },
    'foreign-field-lost': {
      title: 'operator 移除了其他客户端添加的内容',
      remedy:
        '别人的 label 和 annotation 必须保留。使用只写自己字段的 `client.apply`，或者在已有内容上添加。',
    },
    history: {
      title: '状态取决于以前的 spec',
      remedy:
        '把对象改成某个 spec 的结果，与一开始就用那个 spec 创建的结果不同。只根据 spec 计算子对象，移除它不再要求的东西，并像对待创建一样对待改动。',
    },
    'left-behind': {
      title: '删除之后留下了对象',
      remedy: '给每个子对象加上所有者引用；做不到时（另一个 namespace、集群范围），在 finalizer 里移除它。',
    },
    'deletion-stuck': {
      title: '删除不会结束',
      remedy:
        'finalizer 没有移除。移除已经不存在的东西必须算作完成，并且每条成功的路径都必须移除 finalizer。',
    },
    recreation: {
      title: '删除后重新创建的对象得到了不同的状态',
      remedy:
        'operator 把新对象当成了旧对象。比较 uid，不要只按名字在内存里保存东西，也不要沿用旧对象的子对象。',
    },
    'not-isolated': {
      title: '一个对象改动了属于另一个对象的东西',
      remedy: '两个对象共用一个子对象或 label。在名字和选择器里写入所有者完整的名字和 namespace。',
    },
    'takes-over': {
      title: 'operator 接管了属于另一个控制器的对象',
      remedy:
        '写入对象之前，先查看它的控制器。`setControllerReference` 会拒绝另一个控制器的对象；对象已存在时，create 会失败。',
    },
    'late-pods': {
      title: '状态取决于 Pod 何时就绪',
      remedy: 'watch 工作负载（`owns`），并在每次变化时计算 status，而不是只算一次。',
    },
    reference: {
      title: 'operator 忽略了后来才创建或改动的被引用对象',
      remedy: 'watch 被引用对象的种类，并把它的事件映射到引用它的对象。',
    },
    downtime: {
      title: 'operator 停机期间发生的事没有补上',
      remedy:
        '新的进程收不到在它启动之前已删除的对象的事件。每次 reconcile 时，都把现有的一切与应有的相比较。期间到期的工作虽然迟了，仍必须完成。',
    },
    combination: {
      title: '两个故障叠加会留下不同的状态',
      remedy:
        '每个故障单独出现时，operator 都能挺过去；但第二个故障打断了从第一个恢复的过程。恢复的每一步也都要根据 API 服务器现有的内容推导。',
    },
    interleaving: {
      title: '状态取决于两个 reconcile 如何交叠',
      remedy:
        '一个 reconcile 读取之后，另一个 reconcile 写入了，然后前一个又根据旧的读取写入。不要在 reconcile 之间共享变量，让 API 服务器来决定：用 `client.apply`，或带着所读版本的 update。',
    },
    'status-ahead': {
      title: 'observedGeneration 跑在已完成的工作前面',
      remedy:
        'status 说 operator 已处理最近的改动，但子对象仍是改动之前的状态。在工作完成之后，写入 reconcile 开始时读到的 generation。',
    },
    'status-untrue': {
      title: 'status 在就绪之前就说已就绪',
      remedy: '就绪是在工作负载创建时写入的，而不是在它就绪时。每次 reconcile 都根据工作负载的 status 计算。',
    },
    growth: {
      title: '有东西无止境地增长',
      remedy:
        '每次改动或每过一小时，都会留下一些东西。请删除最旧的，或者只保留最后几个：一个对象最多 1.5 MB。',
    },
    invariant: {
      title: '作者声明的不变式不成立',
      remedy: '在情景的某一刻，对象违反了不变式。请检查写入的顺序，以及其他客户端在其间可能写入什么。',
    },
    external: {
      title: '外部系统的状态不对',
      remedy:
        '在第一次影响外部之前，先把 finalizer 写入对象；外部的名字由对象的 uid 推导，并让每次调用都可以重复。',
    },
    'machine-clock': {
      title: 'operator 使用机器的时钟、定时器、随机数或网络',
      remedy:
        '测试无法推进或重复它们。请使用 reconcile 上下文的 `clock.now()`、`clock.sleep()` 和 `clock.random()`。通过自己的对象调用外部系统，让测试用替身代替它。',
    },
    'check-failed': {
      title: '无法检查这个 operator',
      remedy: '消息说明了原因。',
    },
  },
  external: (name) => `外部系统 ${name}`,
  failures: {
    409: '服务器回答 409 Conflict',
    429: '服务器回答 429 Too Many Requests',
    500: '服务器回答 500 Internal Server Error',
    503: '服务器回答 503 Service Unavailable',
    'not sent': '它没有到达服务器',
    'answer lost': '服务器执行了它，但响应丢失',
  },
  pods: {
    ready: 'Pod 立即就绪',
    late: 'Pod 在两分钟后就绪',
    never: 'Pod 永远不会就绪：镜像无法拉取',
    failing: 'Pod 失败',
  },
  steps: {
    create: ({ object, owner, content }) => {
      if (owner !== undefined) return `另一个控制器创建属于其 ${owner} 的 ${object}`
      return content === undefined
        ? `用户创建 ${object}`
        : `用户创建 ${object}，内容为 ${JSON.stringify(content)}`
    },
    change: ({ object, content }) => `用户把 ${object} 改为 ${JSON.stringify(content)}`,
    delete: ({ object }) => `用户删除 ${object}`,
    remove: ({ object }) => `另一个客户端删除 ${object}`,
    edit: ({ object, path, value }) =>
      value === undefined
        ? `另一个客户端移除 ${object} 的 ${path}`
        : `另一个客户端把 ${object} 的 ${path} 设为 ${JSON.stringify(value)}`,
    repeat: ({ times, steps }, tell) => `重复 ${times} 次：${steps.map(tell).join('，然后')}`,
    rest: () => 'operator 一直运行到没有事情可做',
    wait: ({ duration }) => `过去 ${duration}`,
    stop: () => 'operator 停止',
    start: () => 'operator 启动',
    crash: ({ request, moment, staysDown }) =>
      `operator 在从此处起的第 ${request} 个请求${moment === 'before' ? '发送之前' : '由服务器执行之后'}被杀死，${staysDown ? '并保持停机' : '然后重新启动'}`,
    fail: ({ request, failure }) =>
      `operator 从此处起的第 ${request} 个请求失败：${simplifiedChinese.failures[failure]}`,
    slow: ({ request }) => `operator 从此处起的第 ${request} 个请求过半分钟才到达服务器`,
    hold: ({ kind }) => `operator 的缓存不再收到 ${kind} 的变化`,
    stale: ({ kind }) => `operator 的下一个进程最初看到的 ${kind} 是此刻的样子`,
    release: ({ kind }) => `operator 的缓存收到错过的 ${kind} 变化`,
    note: () => '记下此刻的状态',
    pods: ({ behaviour }) => simplifiedChinese.pods[behaviour],
  },
  facts: {
    difference: ({ object, path, expected, found }) => {
      const what = path === '' ? object : `${object} 的 ${path}`
      if (found === undefined) return `缺少 ${what}`
      if (expected === undefined) return `${what} 不应存在，却存在`
      return `${what} 是 ${shortJson(found)}，而不是 ${shortJson(expected)}`
    },
    deletes: ({ object }) => `operator 删除了应当保留的 ${object}`,
    'not deleted': ({ object }) => `用户已删除 ${object}，它却仍然存在`,
    'left behind': ({ object, left }) => `${object} 已不存在，而 operator 留下了：${left.join('、')}`,
    'left outside': ({ object }) => `删除之后，${object} 中还留有东西`,
    'finalizer removed': ({ object, finalizer }) =>
      `operator 移除了 ${object} 的 finalizer ${finalizer}，而它属于另一个控制器`,
    'many writes': ({ path, count }) => `operator 在十分钟内写入 ${path} ${count} 次`,
    'long reconcile': ({ controller, name, minutes }) =>
      `控制器 ${controller} 对 ${name} 的 reconcile 已进行 ${minutes} 分钟，仍未结束`,
    'reconcile fails': ({ controller, name, message, throws }) =>
      throws === undefined
        ? `控制器 ${controller} 在 ${name} 上失败：${message}`
        : `控制器 ${controller} 在 ${name} 上抛出异常：${throws}: ${message}`,
    'changed by restart': ({ object }) => `什么都没发生，新的进程却改动了 ${object}`,
    'called by restart': ({ object }) => `只有新的进程才改动 ${object}：Pod 就绪时没有调用 operator`,
    'updated by restart': ({ path }) => `什么都没发生，新的进程却 update 了 ${path}，而且什么也没改变`,
    'says ready': ({ object, by, value, workload }) =>
      `${workload} 的 Pod 尚未就绪，${object} 的${by === 'condition' ? '状况' : '阶段'}却是 ${value}`,
    'more objects': ({ size, half, example }) => `有 ${size} 个对象，而重复到一半时有 ${half} 个：${example}`,
    larger: ({ object, path, size, half, unit }) =>
      `${object} 的 ${path} 有 ${size} ${unit === 'characters' ? '个字符' : '项'}，而重复到一半时有 ${half}`,
    'uses machine': ({ what }) => `operator 调用了机器的 ${what}`,
    'sample refused': ({ object, message }) => `服务器拒绝了示例 ${object}：${message}`,
    invariant: ({ name, message }) => `${name}：${message}`,
    message: ({ message }) => `错误消息：${message}`,
  },
}
