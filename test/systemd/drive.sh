# What is done on the machine, as root, after it has started. Each line `ok …` is something seen; `NOT OK …` something else.
rows=$1
export PATH=/opt/node24/bin:/usr/local/bin:$PATH
cd /root
ok() { echo "ok $1"; }
not() { echo "NOT OK $1: $2"; }
same() { if [ "$2" = "$3" ]; then ok "$1"; else not "$1" "$2, and not $3"; fi; }
not_in() { ! grep -q "$1"; }
# until SECONDS COMMAND…
until_() { for _ in $(seq "$1"); do "${@:2}" >/dev/null 2>&1 && return 0; sleep 1; done; return 1; }
systemctl --version | head -1

# As the page says. Key and secret come from the service, which stands for the payout service.
sh -e folders.sh || not 'the folders' 'a command failed'
useradd --create-home --groups payouts alice
mkdir -p /srv/service
systemd-run --quiet --unit=service --setenv=PATH="$PATH" payrun service --port 8080 --data /srv/service
tenant() { payrun service tenant add Acme --data /srv/service --json > tenant.json; }
until_ 30 tenant
for name in key secret; do
  node -p "JSON.parse(require('fs').readFileSync('tenant.json')).api${name^}" > $name
done
install -m 0400 key secret /etc/payrun/
same 'systemd finds nothing wrong with the units' "$(cd /usr/local/lib/node_modules/payrun && sh -e /root/units.sh 2>&1 || echo 'a command failed')" ''
sed -i 's#^PAYRUN_BASE_URL=.*#PAYRUN_BASE_URL=http://127.0.0.1:8080#' /etc/payrun/payrun.env
# A row that a kill left in doubt is not waited for by a person here, nor for half an hour.
printf 'PAYRUN_HTTP_TIMEOUT=5s\nPAYRUN_DOUBT_HORIZON=10s\nPAYRUN_DOUBT_CONFIRM=2s\nPAYRUN_DOUBT_POLICY=resend\n' >> /etc/payrun/payrun.env
echo '{ "controls": { "totals": "require" } }' > /etc/payrun/payrun.config.json
chmod 0644 /etc/payrun/payrun.config.json
# Where its Node lies, as the page says; and a timer that does not wait for an hour.
for unit in once.service watch.service worker.service; do
  mkdir -p /etc/systemd/system/payrun-$unit.d
  printf '[Service]\nEnvironment=PATH=/opt/node24/bin:/usr/bin:/bin\n' > /etc/systemd/system/payrun-$unit.d/path.conf
done
mkdir -p /etc/systemd/system/payrun-once.timer.d
printf '[Timer]\nOnCalendar=\nOnCalendar=*:*:0/15\nAccuracySec=1s\n' > /etc/systemd/system/payrun-once.timer.d/pace.conf
systemctl daemon-reload

as_payrun() { runuser -u payrun -- env $(grep -v '^#' /etc/payrun/payrun.env) PGPASSWORD=ledger PAYRUN_API_KEY="$(cat key)" PAYRUN_API_SECRET="$(cat secret)" PATH="$PATH" "$@"; }
as_alice() { runuser -u alice -- env PATH="$PATH" sh -c "umask 027; cd; $1"; }
# hand_in NAME: its totals as the page of the hot folder says, and the sheet last
hand_in() {
  as_alice "payrun check $1.csv --totals && install -m 0640 $1.totals.json /srv/payouts/in/ && cp $1.csv /srv/payouts/in/.$1 && mv /srv/payouts/in/.$1 /srv/payouts/in/$1.csv" > /dev/null ||
    not "handing in $1" 'a command failed'
}
ended() { as_alice "grep -q '\"state\": \"ended\"' /srv/payouts/in/out/$1.ACK"; }
batch_of() { as_alice "node -p 'JSON.parse(require(\"fs\").readFileSync(\"/srv/payouts/in/out/$1.ACK\")).batch'"; }
# Rows that a kill caught before they left are in doubt, and where all others went within the horizon no younger payment proves
# that they are not there: twice the horizon is a person's to go by, who looks until no row is in doubt.
looked() {
  as_payrun payrun reconcile "$1"
  as_payrun payrun resolve "$1" --release-absent --reason 'not there after twice the horizon'
  as_payrun payrun status "$1" | not_in 'payrun reconcile'
}
settled() {
  until_ 60 ended $1 && return
  systemctl stop payrun-watch.service
  until_ 60 looked "$(batch_of $1)" || not 'a person settles what is in doubt' "$(as_payrun payrun status "$(batch_of $1)")"
  systemctl start payrun-watch.service
  until_ 180 ended $1
}
paid_of() { as_alice "node -p 'JSON.parse(require(\"fs\").readFileSync(\"/srv/payouts/in/out/$1.ACK\")).rows.paid'"; }
sheet() { as_alice "node -e 'const [name, rows] = process.argv.slice(1); const lines = [\"row_id,name,country,phone,amount,reference\"]; for (let i = 1; i <= rows; i += 1) lines.push([i, name + \" Payee \" + i, \"Kenya\", \"+2547\" + (name === \"Bee\" ? 1 : 2) + (3000000 + i), 2500 + i, name + \" \" + i].join()); require(\"fs\").writeFileSync(name.toLowerCase() + \".csv\", lines.join(\"\\n\") + \"\\n\")' $1 $rows"; }
payments() { node -p 'new (require("node:sqlite").DatabaseSync)("/srv/service/service.db", { readOnly: true }).prepare("select count(*) n from payments").get().n'; }
some_of() { [ "$(payments)" -gt "$1" ]; }

# The timer: it starts the one look, and whoever handed in reads the answers.
as_alice 'cp /usr/local/lib/node_modules/payrun/samples/kenya.csv .'
hand_in kenya
systemctl --quiet enable --now payrun-once.timer
until_ 180 ended kenya
same 'the timer pays a sheet, and whoever handed it in reads the answer' "$(paid_of kenya)" 5
systemctl --quiet disable --now payrun-once.timer
until_ 60 sh -c '! systemctl is-active --quiet payrun-once.service'

# The watcher: killed in the middle it starts again, stopped in the middle it ends by itself.
sheet Ant
systemctl --quiet enable --now payrun-watch.service
sleep 3
pid=$(systemctl show -p MainPID --value payrun-watch.service)
same 'no secret in its environment' "$(tr '\0' '\n' < /proc/$pid/environ | grep -c -F -f key -f secret)" 0
same 'no secret in what systemd shows' "$(systemctl show payrun-watch.service | grep -c -F -f key -f secret)" 0
hand_in ant
until_ 120 some_of $((5 + rows / 4))
systemctl kill --signal=KILL payrun-watch.service
sleep 1
left=$((5 + rows - $(payments)))
[ $left -gt 0 ] && ok "killed with rows left" || not 'killed with rows left' 'all had gone'
until_ 60 systemctl is-active --quiet payrun-watch.service && ok 'systemd starts it again' || not 'systemd starts it again' 'no'
until_ 120 some_of $((5 + rows / 2))
systemctl stop payrun-watch.service
same 'stopped, it ends by itself' "$(systemctl show -p Result -p ExecMainStatus --value payrun-watch.service | tr '\n' ' ')" 'success 0 '
systemctl start payrun-watch.service
settled ant
same 'every row is paid' "$(paid_of ant)" "$rows"
same 'and none twice' "$(payments)" $((5 + rows))
systemctl stop payrun-watch.service

# The fleet: the same ledger on Postgres, and a worker beside the watcher, which leads on when that is killed.
systemctl --quiet unmask postgresql.service
systemctl start postgresql.service "postgresql@$(ls /etc/postgresql)-main.service"
runuser -u postgres -- env --chdir=/ psql -q -c "create role payrun login password 'ledger'" -c 'create database payrun owner payrun'
as_payrun payrun ledger copy postgres://payrun@127.0.0.1/payrun > /dev/null || not 'the ledger moves' 'a command failed'
printf 'ledger\n' > /etc/payrun/database
chmod 0400 /etc/payrun/database
sed -i 's#^PAYRUN_LEDGER=.*#PAYRUN_LEDGER=postgres://payrun@127.0.0.1/payrun#' /etc/payrun/payrun.env
systemctl start payrun-watch.service payrun-worker.service
sheet Bee
hand_in bee
until_ 180 some_of $((5 + rows + rows / 4))
systemctl kill --signal=KILL payrun-watch.service
systemctl stop payrun-watch.service
until_ 240 some_of $((5 + rows + rows - 65))
left=$((5 + rows + rows - $(payments)))
[ $left -le 64 ] && ok 'the worker leads on, and sends what is left' || not 'the worker leads on, and sends what is left' "$left left"
systemctl start payrun-watch.service
settled bee
same 'the watcher answers when it is back' "$(paid_of bee)" "$rows"
same 'and none of it twice' "$(payments)" $((5 + rows + rows))
systemctl stop payrun-worker.service payrun-watch.service
same 'the worker ends by itself' "$(systemctl show -p Result -p ExecMainStatus --value payrun-worker.service | tr '\n' ' ')" 'success 0 '
as_payrun payrun audit verify > verified 2>&1 && ok 'the trail is whole' || not 'the trail is whole' "$(tail -3 verified)"
journalctl --no-pager --output=cat --unit=payrun-once --unit=payrun-watch --unit=payrun-worker | grep -v 'SIGKILL to process'
echo 'end of the drive'
