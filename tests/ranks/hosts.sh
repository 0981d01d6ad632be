#!/usr/bin/env bash
# hosts.sh WSEVM: one machine over three hosts, which are network namespaces with addresses and names of their own, joined
# by a bridge; Open MPI speaks TCP between them. They give what one process gives; where one is cut off in the middle all
# end. Ends with 77 where namespaces are not allowed. Prints each case that fails. Must never touch the network of the host
# it runs on.
wsevm=$1
skip() {
  echo "$1"
  exit 77
}

# In a namespace of its own: nothing is left where this script ends.
if [[ -z ${WSE_IN_NAMESPACE:-} ]]; then
  [[ -n $(command -v ip) && -n $(command -v unshare) ]] || skip 'there is no ip, or no unshare'
  unshare --user --map-root-user --net --mount --pid --fork --mount-proc true 2>/dev/null ||
    skip 'namespaces are not allowed here'
  WSE_IN_NAMESPACE=1 exec unshare --user --map-root-user --net --mount --pid --fork --mount-proc "$0" "$@"
fi
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/support/cases.sh
source "$here/../support/cases.sh"
# shellcheck source=tests/ranks/launches.sh
source "$here/launches.sh"

mount -t tmpfs tmpfs /run || skip 'no place for namespaces'
hosts=(10.77.0.1 10.77.0.2 10.77.0.3)
ip link add name bridge type bridge && ip link set bridge up || skip 'no bridge between namespaces'
for host in "${hosts[@]}"; do
  ip netns add "$host"
  ip link add "at${host##*.}" type veth peer name eth0 netns "$host"
  ip link set "at${host##*.}" master bridge up
  ip -n "$host" address add "$host/24" dev eth0
  ip -n "$host" link set eth0 up
  ip -n "$host" link set lo up
done

# Starts a command on a host: what ssh does elsewhere.
cat >agent <<'SH'
#!/bin/sh
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname host${host##*.}; exec $*"
SH
chmod +x agent

# over RANKS COMMAND...: one rank for each host in turn.
over() {
  local ranks=$1
  shift
  timeout 60 ./agent "${hosts[0]}" mpirun --bind-to none --host "$(IFS=,; echo "${hosts[*]}")" --map-by node --oversubscribe \
    -n "$ranks" --mca plm_rsh_agent "$PWD/agent" --mca btl tcp,self --mca btl_tcp_if_include eth0 \
    --mca oob_tcp_if_include eth0 \
    --mca oob_tcp_keepalive_time 15 --mca oob_tcp_keepalive_intvl 2 --mca oob_tcp_keepalive_probes 3 "$@"
}

expect 0 'one process' "$wsevm" run programs/heat/heat.wsa --threads=1 --json=one.json --out y=one.npy
expect 0 'three hosts' over 3 "$wsevm" run programs/heat/heat.wsa --json=three.json --out y=three.npy --stats
contains err '3 on 3 hosts'
cmp <(record_of one.json) <(record_of three.json) || wrong 'three hosts: the record differs'
cmp one.npy three.npy || wrong 'three hosts: the array differs'

over 3 "$wsevm" run long.wsa --transport=stepper --json=r.json >out 2>err </dev/null &
launcher=$!
sleep 5
cut=$SECONDS
ip link set at3 down
wait $launcher
code=$?
took=$((SECONDS - cut))
[[ $code -ne 0 && $code -ne 124 ]] || wrong "a host that is cut off: exit code $code"
[[ $took -le 30 ]] || wrong "a host that is cut off: the others ended after $took s"
contains err 'has not been heard for 14 s: its process or host is gone, or stopped'
contains r.json '"status": "error"'
finish
