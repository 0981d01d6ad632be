#!/usr/bin/env bash
# completion.sh WSEVM: what the completion for bash offers, by calling its function as bash would.
# Prints each case that fails.
set -uo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir -p programs/hello spaced
touch programs/hello/hello.wsa programs/README.md a.wsa b.wsb c.npy d.json spaced/e.wsa
failures=0

bash -n <("$1" completion bash) || exit 1
source <("$1" completion bash)

# offers 'WORD...' 'REPLY...': the words of the line, the last one unfinished, as bash cuts them.
offers() {
  local expected actual
  read -ra COMP_WORDS <<<"$1"
  [[ $1 != *' ' ]] || COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _wsevm
  actual=$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort -u | xargs)
  expected=$(tr ' ' '\n' <<<"$2" | LC_ALL=C sort | xargs)
  if [[ $actual != "$expected" ]]; then
    printf "after '%s': offered '%s', expected '%s'\n" "$1" "$actual" "$expected"
    failures=$((failures + 1))
  fi
}

profiles=$("$1" --version | sed -n 's/^profiles: //p')
offers 'wsevm ru' run
offers 'wsevm --v' --version
offers 'wsevm ma' 'machine man'
offers 'wsevm fly ' ''
offers 'wsevm machine ' "$profiles"
offers 'wsevm machine wse2 ' ''
offers 'wsevm completion ' 'bash fish zsh'
offers 'wsevm help ru' run
offers 'wsevm isa --m' --markdown
offers 'wsevm run --mach' --machine=
offers 'wsevm run --st' '--stats --strict'
offers 'wsevm run --js' '--json --json='
offers 'wsevm run --i' '--in --interval'
offers 'wsevm run --machine = m' model
offers 'wsevm run --machine =' "$profiles"
offers 'wsevm run --machine m' model
offers 'wsevm run a.wsa --engine = ' 'auto interp jit lockstep'
offers 'wsevm run --threads ' ''
offers 'wsevm run a' a.wsa
offers 'wsevm run programs/' programs/hello
offers 'wsevm run programs/hello/' programs/hello/hello.wsa
offers 'wsevm dis ' 'b.wsb programs spaced'
offers 'wsevm run a.wsa b' ''
offers 'wsevm run -I li b' b.wsb
offers 'wsevm run --machine = model b' b.wsb
offers 'wsevm run --strict b' b.wsb
offers 'wsevm run -I pro' programs
offers 'wsevm run a.wsa --in x' ''
offers 'wsevm run a.wsa -W E229' ''
offers 'wsevm run a.wsa -W E229 = ' 'error off'
offers 'wsevm check -W E229 = o' off
offers 'wsevm run a.wsa --in x = c' c.npy
offers 'wsevm run a.wsa --json = d' d.json
offers 'wsevm run a.wsa --json d' ''
offers 'wsevm asm a.wsa -o b' b.wsb
offers 'wsevm asm a.wsa --output = b' b.wsb

COMP_WORDBREAKS=${COMP_WORDBREAKS//=/}  # then the whole word is replaced
offers 'wsevm run --machine=m' --machine=model
offers 'wsevm run a.wsa --in x=c' x=c.npy

[[ $failures -eq 0 ]] || { echo "$failures failures"; exit 1; }
