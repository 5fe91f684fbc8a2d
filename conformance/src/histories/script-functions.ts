// `@{` stands for the shell's `${`, which would mean something else here.
const text = String.raw`set -u
: "@{THINGSYNC_BASE_URL:?base address with the version segment, such as http://127.0.0.1:8484/v1/}"
: "@{THINGSYNC_CLIENT_ID:?}" "@{THINGSYNC_CLIENT_SECRET:?}" "@{THINGSYNC_USER:?NAME:PASSWORD, one a line}"
login=$(printf '%s\n' "$THINGSYNC_USER" | sed -n 1p)
base=@{THINGSYNC_BASE_URL%/}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# text NAME FILE: a text value of a JSON file
text() { sed -n 's/.*"'"$1"'" *: *"\([^"]*\)".*/\1/p' "$2" | sed 's,\\/,/,g' | tail -n 1; }

# grant WHO [PARAMETER...]: a pair of tokens for one replica
grant() {
  who=$1; shift
  curl -sS "$base/token" --data-urlencode "client_id=$THINGSYNC_CLIENT_ID" \
    --data-urlencode "client_secret=$THINGSYNC_CLIENT_SECRET" "$@" | tr -d '\r\n' > "$work/pair.$who"
  text access_token "$work/pair.$who" > "$work/token.$who"
  [ -s "$work/token.$who" ] || { echo "no token for $who" >&2; exit 2; }
}
log_in() {
  grant "$1" -d grant_type=password --data-urlencode "username=@{login%%:*}" \
    --data-urlencode "password=@{login#*:}"
}
refresh() { grant "$1" -d grant_type=refresh_token --data-urlencode "refresh_token=$(text request_token "$work/pair.$1")"; }

# ask LINE WHO get|post [PARAMETER...]: one sync; the answer is kept under the number of the line
ask() {
  line=$1 who=$2 how=$3; shift 3
  for parameter do shift; set -- "$@" --data-urlencode "$parameter"; done
  [ "$how" = get ] && set -- -G "$@"
  curl -sS "$base/sync" "$@" --data-urlencode "access_token=$(cat "$work/token.$who")" | tr -d '\r\n' > "$work/$line.kept"
  cat "$work/$line.kept" >> "$work/$line.json"; echo >> "$work/$line.json"
}

# since LINE: the position that the line was answered with
since() { echo "from=$(sed -n 's/.*"pos" *: *\([-+.0-9eE]*\).*/\1/p' "$work/$1.kept")"; }

# count LINE: the thingCount that the line was answered with
count() { echo "0$(sed -n 's/.*"thingCount" *: *\([0-9]*\).*/\1/p' "$work/$1.kept")"; }

# pages LINE WHO first|last SIZE [FROM]: one listing in pages; between_LINE does what others do after each page, and the rest at the end
pages() {
  paged=$1 reader=$2 keep=$3 size=$4; shift 4
  page=0
  while [ "$page" -eq 0 ] || { [ "$page" -lt 99 ] && [ $((page * size)) -lt "$(count "$paged")" ]; }; do
    [ "$page" -eq 0 ] || "between_$paged" "$page"
    ask "$paged" "$reader" get "$@" "skip=$((page * size))" "limit=$size"
    [ "$page" -gt 0 ] || cp "$work/$paged.kept" "$work/$paged.first"
    page=$((page + 1))
  done
  while "between_$paged" "$page"; do page=$((page + 1)); done
  [ "$keep" = last ] || cp "$work/$paged.first" "$work/$paged.kept"
}

# tidy WHO LINE: deletes what was made
tidy() {
  for file in "$work"/id.*; do
    if [ -s "$file" ]; then ask 0 "$1" post "$(since "$2")" "deleted_thing=$(cat "$file")"; fi
  done
}

# created LINE THING: keeps the _id that a new thing was given; id THING: that _id
created() { text "$mark-$2" "$work/$1.json" > "$work/id.$2"; }
id() { cat "$work/id.$1" 2>/dev/null; }

# objects LINE: the answers of a line, an object on each line; listed LINE: the thing in question in them
objects() { tr '{' '\n' < "$work/$1.json" | sed 's/}.*//'; }
listed() { objects "$1" | grep "\"_id\" *: *\"$(id "$thing")\""; }
deletes() { tr -d ' ' < "$work/$1.json" | sed -n 's/.*"deleted":\[\([^]]*\)\].*/\1/p' | grep -q "\"$(id "$thing")\""; }

# hold LINE BEFORE [creates|changes|deletes TITLE]: what the replica holds of the thing after a line (BEFORE 0: it began anew)
hold() {
  known=gone
  [ "$2" = 0 ] || known=$(cat "$work/$2.held")
  case "@{3:-} $known" in creates* | 'changes '[!g]* | 'changes g'[!o]*) known=$4 ;; deletes*) known=gone ;; esac
  told=$(listed "$1" | sed -n 's/.*"title" *: *"\([^"]*\)".*/\1/p' | tail -n 1)
  [ -z "$told" ] || known=$told
  if deletes "$1"; then known=gone; fi
  echo "$known" > "$work/$1.held"
}

# color LINE BEFORE [COLOR]: the same for the color of the tag in question
color() {
  known=none
  [ "$2" = 0 ] || known=$(cat "$work/$2.held")
  [ $# -lt 3 ] || known=$3
  told=$(sed -n 's/.*"'"$mark-$tag"'" *: *{\([^}]*\)}.*/\1/p' "$work/$1.json" | sed -n 's/.*"color" *: *"\([^"]*\)".*/\1/p' | tail -n 1)
  [ -z "$told" ] || known=$(echo "$told" | tr 'A-F' 'a-f')
  echo "$known" > "$work/$1.held"
}

# wanted LINE VALUE...: fails unless what is held after the line is one of the values
wanted() {
  held=$(cat "$work/$1.held"); shift
  for value do [ "$held" != "$value" ] || return 0; done
  echo "held: $held; expected: $*"
  return 1
}
`

/** Shell functions of every reproducing script. A POSIX shell, curl, sed, grep and tr are all that they need. */
export const scriptFunctions = text.replaceAll('@{', '${')
