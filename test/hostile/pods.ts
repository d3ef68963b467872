/** A Pod that tries to stop its neighbours: a script for the shell, and what it is meant to exhaust. */
export interface HostilePod {
  readonly title: string
  readonly script: string
}

const LONG = 'x=$(yes abcdefg | head -c 900000 | tr -d "\\n")'
const MANY = 'seq 100000'

/**
 * Scripts that compute, allocate or fork without end, or as much as they are allowed. Each is run as it stands by the
 * tests, which count what it does, and by the benchmark, which asks the API server meanwhile whether it lives.
 */
export const hostilePods: readonly HostilePod[] = [
  // Processes.
  {
    title: '200 busy subshells',
    script: 'i=0; while [ $i -lt 200 ]; do (while :; do :; done) & i=$((i+1)); done; wait',
  },
  { title: 'a fork bomb', script: 'bomb() { bomb | bomb & }; while :; do bomb; done' },
  { title: 'a fork bomb of subshells', script: 'f() { (f) & (f) & wait; }; f & while :; do :; done' },
  {
    title: 'background jobs that nothing waits for',
    script: 'while :; do (while :; do sleep 1; done) & done',
  },
  {
    title: 'many processes that wake at the same time',
    script: 'i=0; while [ $i -lt 400 ]; do (while :; do sleep 0.001; done) & i=$((i+1)); done; wait',
  },
  {
    title: 'pipelines that never end',
    script: 'i=0; while [ $i -lt 50 ]; do yes | cat | cat > /dev/null & i=$((i+1)); done; wait',
  },
  {
    title: 'a trap that sends its own signal',
    script: 'trap "kill -USR1 $$" USR1; kill -USR1 $$; while :; do :; done',
  },
  { title: 'a function that calls itself', script: 'f() { f; }; while :; do (f) 2>/dev/null; done' },
  { title: 'eval in eval', script: 'while :; do eval "eval \\"eval :\\""; done' },
  { title: 'a long pipeline', script: `while :; do eval ":$(yes '| :' | head -300 | tr '\\n' ' ')"; done` },
  // Values.
  {
    title: 'a variable that doubles',
    script: 'while :; do (x=a; while :; do x=$x$x; done) 2>/dev/null; done',
  },
  {
    title: 'many large variables',
    script: `${LONG}; i=0; while :; do eval "v$i=\\$x$i"; i=$((i+1)); done 2>/dev/null; while :; do :; done`,
  },
  {
    title: 'many variables in many subshells',
    script: 'i=0; while [ $i -lt 9000 ]; do eval "v$i=$i"; i=$((i+1)); done; while :; do (:); done',
  },
  { title: 'command substitution without end', script: 'while :; do (x=$(yes)) 2>/dev/null; done' },
  { title: 'a long value in many fields', script: `x=$(${MANY}); while :; do set -- $x; done` },
  {
    title: 'a long value printed again and again',
    script: `${LONG}; while :; do echo "$x"; done > /dev/null`,
  },
  {
    title: 'printf with many arguments',
    script: `x=$(${MANY}); while :; do printf "%05d-%s\\n" $x > /dev/null; done`,
  },
  {
    title: 'printf with wide fields',
    script: 'while :; do printf "%9999999d%9999999d%9999999d" 1 2 3 > /dev/null; done',
  },
  {
    title: 'echo with escapes',
    script: `x=$(yes '\\\\t' | head -c 900000 | tr -d "\\n"); while :; do echo -e "$x" > /dev/null; done`,
  },
  {
    title: 'an arithmetic expression that doubles',
    script:
      'i=0; while [ $i -lt 60 ]; do eval "a$i=a$((i+1))+a$((i+1))"; i=$((i+1)); done; while :; do (echo $((a0))) 2>/dev/null; done',
  },
  {
    title: 'a long arithmetic expression',
    script: `x=$(yes 1+ | head -c 900000 | tr -d "\\n"); while :; do (echo $((\${x}1))) > /dev/null 2>&1; done`,
  },
  {
    title: 'a number with many digits',
    script: `x=$(yes 7 | head -c 900000 | tr -d "\\n"); while :; do (echo $((16#$x)) $(($x))) > /dev/null 2>&1; done`,
  },
  {
    title: 'patterns with many stars',
    script: `${LONG}; p=$(yes '*a' | head -c 20000 | tr -d "\\n"); while :; do (case $x in $p) ;; esac; y=\${x#$p}; y=\${x%%$p}) 2>/dev/null; done`,
  },
  {
    title: 'a replacement in a long value',
    script: `${LONG}; while :; do (y=\${x//a/bb}; y=\${x//?/c}; y=\${x%%d*}) 2>/dev/null; done`,
  },
  {
    title: 'the length and parts of a long value',
    script: `${LONG}; while :; do y=\${#x}; y=\${x:1:2}; done`,
  },
  {
    title: 'a here-document without end',
    script: `${LONG}; while :; do eval "cat > /dev/null <<E\n$x$x$x\nE"; done`,
  },
  {
    title: 'a long script',
    script: `x=$(yes ':;' | head -c 900000 | tr -d "\\n"); while :; do eval "$x"; done`,
  },
  {
    title: 'a long script that is wrong',
    script: `x=$(yes '((' | head -c 900000 | tr -d "\\n"); y=$(yes '\${a' | head -c 900000 | tr -d "\\n"); while :; do (eval "$x"; eval "$y") 2>/dev/null; done`,
  },
  {
    title: 'many words',
    script: `x=$(yes 'a' | head -c 900000 | tr "\\n" ' '); while :; do eval ": $x"; done`,
  },
  // Input.
  { title: 'read of a line without end', script: 'while :; do (read x < /dev/zero) 2>/dev/null; done' },
  { title: 'read of many lines', script: `while :; do ${MANY} | while read a b c; do :; done; done` },
  { title: 'sort without end', script: 'while :; do yes | sort; done > /dev/null 2>&1' },
  {
    title: 'sort of what fits',
    script: `while :; do ${MANY} | sort -r; ${MANY} | sort -n -k1,1; ${MANY} | sort -V; done > /dev/null 2>&1`,
  },
  {
    title: 'tail, tac and rev without end',
    script:
      '(yes | tail -n 100000000) & (yes | tac) & (cat /dev/zero | rev) & (cat /dev/zero | tail -c 100000000000) & wait; while :; do :; done 2>/dev/null',
  },
  {
    title: 'paste, uniq and cut of long lines',
    script: `while :; do cat /dev/zero | head -c 9000000 | paste - - ; cat /dev/zero | head -c 9000000 | uniq -f 9; yes a,b | head -c 4000000 | tr "\\n" , | cut -d, -f 1-9; done > /dev/null 2>&1`,
  },
  {
    title: 'fold, od, nl and wc without end',
    script:
      '(cat /dev/urandom | fold -w 1 > /dev/null) & (cat /dev/zero | head -c 16000000 | od -c > /dev/null) & (yes | nl > /dev/null) & (yes | wc) & wait',
  },
  {
    title: 'digests and base64 without end',
    script:
      '(cat /dev/zero | sha512sum) & (cat /dev/zero | base64 > /dev/null) & (cat /dev/urandom | md5sum) & (yes aaaa | base64 -d > /dev/null) & wait',
  },
  {
    title: 'xargs with many words',
    script: `while :; do ${MANY} | xargs -n 1 true; ${MANY} | xargs echo > /dev/null; done`,
  },
  // Regular expressions.
  {
    title: 'grep with a hard expression',
    script: `yes a | head -c 100000 | tr -d "\\n" > f; while :; do grep -E "(.*a){100}b" f; grep -E "(a*)*(a*)*(a*)*c" f; grep "\\(a*\\)*b" f; done 2>/dev/null`,
  },
  {
    title: 'grep with many expressions',
    script: `seq 5000 > e; yes abc | head -c 200000 | tr -d "\\n" > f; while :; do grep -f e f; grep -F -f e f; done > /dev/null 2>&1`,
  },
  {
    title: 'grep -o of a long line',
    script: `yes a | head -c 200000 | tr -d "\\n" > f; while :; do grep -o a f > /dev/null 2>&1; grep -o "[b-z]*" f > /dev/null 2>&1; done`,
  },
  {
    title: 'sed with hard expressions',
    script: `yes a | head -c 60000 | tr -d "\\n" > f; while :; do sed -E "s/(a|aa)*$/x/; s/a/bb/g; y/a/b/" f; sed ":a;s/^\\(x*\\)a/\\1x/;ta" f; done > /dev/null 2>&1`,
  },
  {
    title: 'sed that gathers all lines',
    script: `while :; do ${MANY} | sed ":a;N;ba" > /dev/null 2>&1; done`,
  },
  {
    title: 'sed that edits a file in place',
    script: 'seq 300000 > f; while :; do sed -i "s/1/11/" f 2>/dev/null; done',
  },
  {
    title: 'tr with large sets',
    script:
      'while :; do cat /dev/zero | head -c 9000000 | tr "\\000-\\377" "b-za" | tr -s a-z > /dev/null; done',
  },
  {
    title: 'expr on long values',
    script: `${LONG}; while :; do (expr "$x" : "\\(.*\\)*c"; expr length "$x"; expr index "$x" z) > /dev/null 2>&1; done`,
  },
  // Files.
  {
    title: 'globs in a folder of many files',
    script:
      'i=0; while [ $i -lt 3000 ]; do : > f$i; i=$((i+1)); done; while :; do echo */../* > /dev/null; echo f*1*2*3* > /dev/null; done',
  },
  {
    title: 'globs through many folders',
    script:
      'i=0; while [ $i -lt 12 ]; do j=0; while [ $j -lt 12 ]; do mkdir -p $i/$j/a $i/$j/b; j=$((j+1)); done; i=$((i+1)); done; while :; do echo */*/*/../../../*/*/* > /dev/null; done',
  },
  {
    title: 'find, ls, du and tar on a large tree',
    script:
      'i=0; while [ $i -lt 2000 ]; do mkdir -p d/$((i%40))/$i; : > d/$((i%40))/$i/f; i=$((i+1)); done; while :; do find d > /dev/null; ls -lR d > /dev/null; tar cf t d; tar tf t > /dev/null; cp -r d e; chmod -R 755 e; rm -rf e; done',
  },
  {
    title: 'deep folders',
    script:
      'i=0; while [ $i -lt 150 ]; do mkdir d; cd d; i=$((i+1)); done; while :; do (cd /; find . > /dev/null; ls -R > /dev/null; cd d/d/d/d/d/d/d/d/..); done',
  },
  {
    title: 'links that lead in circles',
    script: 'ln -s a b; ln -s b a; while :; do cat a; ls a/b/c; cd a; done 2>/dev/null',
  },
  {
    title: 'a file that grows without end',
    script: 'while :; do yes | head -c 5000000 > f; cat f f f f > g; done',
  },
  { title: 'output without end', script: 'yes' },
  { title: 'output without newlines', script: 'cat /dev/zero' },
  { title: 'errors without end', script: 'while :; do nothing; done' },
]
