#!/usr/bin/env bash
# The same with curl and jq, without a stream: look, post.
#   complete-curl.sh SESSION TOOL_USE_ID TEXT
set -euo pipefail
url=$HERM_BASE_URL/v1/sessions/$1/events
key="x-api-key: $PRISM_API_KEY"

curl -sSf -H "$key" "$url?limit=100" | jq -e --arg id "$2" '
  (.data | last.type == "session.status_idle") and
  any(.data[].payload; .type == "user.custom_tool_result" and .tool_use_id == $id and .status == "running")' >/dev/null

jq -nc --arg id "$2" --arg text "$3" '{events: [{type: "user.custom_tool_result", tool_use_id: $id,
    content: [{type: "text", text: $text}], status: "completed", is_error: false}]}' |
  curl -sSf -H "$key" -H 'content-type: application/json' --data-binary @- "$url" |
  jq -r '.events[0].id'
