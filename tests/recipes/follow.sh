# follow.sh: follows recipes of READMEs in a copy of the checkout; sourced by the tests of this folder. A block
#
#     ```cpp vm/contract/counters.h after "struct Counters {"
#
# adds its lines to that file after the one line that has the text; `before` it, `in place of` it, or at the end of the
# file where no text is named. It is the README that is tested: nothing of what is added is said here.
# Needs: root = the checkout, work = the folder of the copy.

fail() {
  printf 'recipes: %s\n' "$*" >&2
  exit 1
}

copy_checkout() { tar -C "$root" -c --exclude=./build --exclude=./out --exclude='./.*' . | tar -C "$work" -x; }

# put FILE HOW TEXT: adds the lines of $work/added to the copy of FILE.
put() {
  local file=$work/$1 how=$2 text=$3 count
  if [[ -z $how ]]; then
    cat "$work/added" >>"$file"
    return
  fi
  count=$(grep -cF -- "$text" "$file") || true
  [[ $count -eq 1 ]] || fail "$count lines of $1 have '$text'; one is wanted"
  text=$text awk -v how="$how" -v added="$work/added" '
    function add(line) { while ((getline line < added) > 0) print line }
    index($0, ENVIRON["text"]) == 0 { print; next }
    { if (how == "after") print; add(); if (how == "before") print }' "$file" >"$work/changed"
  cat "$work/changed" >"$file"
}

# follow README HEADING MOST: does what the section says; it may touch MOST files.
follow() {
  local readme=$root/$1 heading=$2 most=$3 info file rest how text
  local -A touched=()
  rm -rf "$work/blocks"
  mkdir "$work/blocks"
  heading=$heading awk -v folder="$work/blocks/" '
    /^#/ { on = $0 == ENVIRON["heading"] }
    !on { next }
    /^```/ && inside { inside = 0; close(name); next }
    /^```[a-z]+ / { inside = 1; name = sprintf("%s%02d", folder, ++count); print > name; next }
    inside { print > name }' "$readme"
  for block in "$work"/blocks/*; do
    [[ -f $block ]] || fail "$1 has no recipe '$heading'"
    read -r _ info <"$block"
    tail -n +2 "$block" >"$work/added"
    read -r file rest <<<"$info"
    how=${rest%%\"*}
    text=${rest#*\"}
    [[ -z $rest || $how != "$rest" ]] || fail "$1: '$info' names no text"
    case ${how% } in '' | after | before | 'in place of') ;; *) fail "$1: '$how' of '$info' is no place" ;; esac
    put "$file" "${how% }" "${text%\"}"
    touched[$file]=1
  done
  [[ ${#touched[@]} -le $most ]] || fail "$heading: ${#touched[@]} files, at most $most: ${!touched[*]}"
  printf '%s (%s): %d files\n' "$heading" "$1" "${#touched[@]}"
}
