#!/bin/sh
# A Spark standalone cluster on this machine, from the pip-installed pyspark of .venv alone.
#   scripts/setup/cluster.sh start [--workers 2] [--cores 1] [--memory 1g] [--port 0]   prints the master's URL
#   scripts/setup/cluster.sh status                                                     exit code 3: not running
#   scripts/setup/cluster.sh stop
# Port 0 is any free one; --cores and --memory are those of each worker. All processes listen on
# 127.0.0.1 only. Files are in $CLUSTER_DIR (.cluster): url, NAME.pid and NAME.log for master,
# worker-1, ..., and work/ with the logs of the executors.
set -eu
cd "$(dirname "$0")/../.."

DIR=${CLUSTER_DIR:-.cluster}
MASTER=org.apache.spark.deploy.master.Master
WORKER=org.apache.spark.deploy.worker.Worker
PATIENCE=60 # seconds that a process may take to start; it takes three on an idle machine

die() {
    echo "cluster.sh: $1" >&2
    exit "${2:-2}"
}

# Whether the process of a pid file runs. A number may be another's by now, so its command is read.
runs() {
    [ -f "$DIR/$1.pid" ] || return 1
    case $(ps -ww -p "$(cat "$DIR/$1.pid")" -o args= 2>/dev/null) in
    *"-Ddbce.cluster=$DIR "* | *"/spark-class org.apache.spark.deploy."*) ;;
    *) return 1 ;;
    esac
}

# The names of what was started, workers first.
names() {
    for pid in "$DIR"/worker-*.pid "$DIR/master.pid"; do
        [ -f "$pid" ] && basename "$pid" .pid
    done
    true
}

# launch NAME CLASS ARGUMENT...: starts a process.
launch() {
    name=$1
    shift
    : >"$DIR/$name.log" # before somebody looks into it
    nohup "$SPARK_HOME/bin/spark-class" "$@" >>"$DIR/$name.log" 2>&1 </dev/null &
    echo $! >"$DIR/$name.pid"
}

# await NAME WORDS: waits until the log of a process says these words.
await() {
    deadline=$(($(date +%s) + PATIENCE))
    until grep -q "$2" "$DIR/$1.log"; do
        if ! kill -0 "$(cat "$DIR/$1.pid")" 2>/dev/null || [ "$(date +%s)" -gt "$deadline" ]; then
            tail -n 5 "$DIR/$1.log" >&2
            stop
            die "$1 did not start; all it said is in $DIR/$1.log" 1
        fi
        sleep 0.2
    done
}

start() {
    workers=2 cores=1 memory=1g port=0
    while [ $# -gt 0 ]; do
        [ $# -gt 1 ] || die "$1 needs a value"
        case $1 in
        --workers) workers=$2 ;;
        --cores) cores=$2 ;;
        --memory) memory=$2 ;;
        --port) port=$2 ;;
        *) die "unknown option $1; there are --workers, --cores, --memory, --port" ;;
        esac
        shift 2
    done
    case $workers$cores$port in
    *[!0-9]*) die "--workers, --cores and --port take whole numbers" ;;
    esac

    mkdir -p "$DIR"
    DIR=$(cd "$DIR" && pwd)
    for name in $(names); do
        if runs "$name"; then
            [ -f "$DIR/url" ] || die "a part of a cluster runs here; first: scripts/setup/cluster.sh stop" 1
            echo "cluster.sh: already running" >&2
            cat "$DIR/url"
            return
        fi
    done
    rm -rf "$DIR/url" "$DIR/work" "$DIR/local" "$DIR"/*.pid "$DIR"/*.log

    [ -x .venv/bin/python ] || die "there is no .venv here; first: make demo"
    JAVA_HOME=$(scripts/setup/java.sh) || die "Spark needs Java 17 or newer and none was found; set JAVA_HOME"
    SPARK_HOME=$(.venv/bin/python -c 'import pathlib, pyspark; print(pathlib.Path(pyspark.__file__).parent)')
    # Without log4j2.properties of ours: Spark's own say when a process is ready.
    SPARK_CONF_DIR=$DIR/conf
    SPARK_LOCAL_IP=127.0.0.1
    SPARK_LOCAL_DIRS=$DIR/local
    SPARK_DAEMON_MEMORY=256m
    # No REST server, which would take port 6066; a quick start rather than a fast server.
    SPARK_DAEMON_JAVA_OPTS="\"-Ddbce.cluster=$DIR\" -Dspark.master.rest.enabled=false"
    SPARK_DAEMON_JAVA_OPTS="$SPARK_DAEMON_JAVA_OPTS -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
    PYSPARK_PYTHON=$PWD/.venv/bin/python
    export JAVA_HOME SPARK_HOME SPARK_CONF_DIR SPARK_LOCAL_IP SPARK_LOCAL_DIRS
    export SPARK_DAEMON_MEMORY SPARK_DAEMON_JAVA_OPTS PYSPARK_PYTHON

    launch master $MASTER --host 127.0.0.1 --port "$port" --webui-port 0
    await master "elected leader"
    url=$(sed -n 's/.*Starting Spark master at \(spark:[^ ]*\).*/\1/p' "$DIR/master.log")
    for number in $(seq "$workers"); do
        launch "worker-$number" $WORKER --host 127.0.0.1 --webui-port 0 --work-dir "$DIR/work" \
            --cores "$cores" --memory "$memory" "$url"
    done
    for number in $(seq "$workers"); do
        await "worker-$number" "Successfully registered with master"
    done
    echo "$url" | tee "$DIR/url"
}

stop() {
    for name in $(names); do
        if runs "$name"; then
            pid=$(cat "$DIR/$name.pid")
            kill "$pid"
            waited=0
            while runs "$name"; do
                [ "$waited" -lt 50 ] || kill -9 "$pid" 2>/dev/null || true
                waited=$((waited + 1))
                sleep 0.2
            done
        fi
        rm -f "$DIR/$name.pid"
    done
    rm -f "$DIR/url"
}

status() {
    [ -f "$DIR/url" ] || die "no cluster runs in $DIR" 3
    cat "$DIR/url"
    missing=0
    for name in $(names); do
        if runs "$name"; then
            echo "$name runs, pid $(cat "$DIR/$name.pid")"
        else
            echo "$name has stopped; see $DIR/$name.log"
            missing=3
        fi
    done
    return $missing
}

[ ! -d "$DIR" ] || DIR=$(cd "$DIR" && pwd)
command=${1:-}
[ $# -eq 0 ] || shift
case $command in
start) start "$@" ;;
stop) stop ;;
status) status ;;
*) die "say start, stop or status" ;;
esac
