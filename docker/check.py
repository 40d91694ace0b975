"""Lints the Dockerfile and the compose file as far as that goes without a Docker engine."""

import json
import re
import sys
from pathlib import Path

import yaml

DOCKER = Path(__file__).resolve().parent
TOP = DOCKER.parent
INSTRUCTIONS = "ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK RUN USER VOLUME WORKDIR".split()
SERVICE_KEYS = set(
    "build cgroup command depends_on environment healthcheck image ports privileged restart "
    "stop_grace_period volumes".split()
)


def main():
    faults = []
    dockerfile = instructions(DOCKER / "Dockerfile")
    check_dockerfile(dockerfile, faults)
    exposed = {args for _, name, args in dockerfile if name == "EXPOSE"}
    kept = {args for _, name, args in dockerfile if name == "VOLUME"}
    check_compose(DOCKER / "compose.yaml", exposed, kept, faults)
    for fault in faults:
        print(fault)
    print(f"docker: {len(dockerfile)} instructions, {len(faults)} wrong")
    return 1 if faults else 0


def instructions(path):
    """Lines `(number, NAME, arguments)`, with continued lines put together."""
    found, pending, start = [], "", 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.lstrip().startswith("#") or not line.strip():
            continue
        start = start if pending else number
        pending += line.rstrip("\\").strip() + " "
        if not line.endswith("\\"):
            name, _, args = pending.strip().partition(" ")
            found.append((start, name, args.strip()))
            pending = ""
    return found


def check_dockerfile(found, faults):
    def wrong(number, text):
        faults.append(f"docker/Dockerfile:{number}: {text}")

    stages = set()
    for position, (number, name, args) in enumerate(found):
        if name not in INSTRUCTIONS:
            wrong(number, f"found {name}; allowed are {', '.join(INSTRUCTIONS)}")
        if position == 0 and name not in ("ARG", "FROM"):
            wrong(number, f"found {name} first; allowed are ARG and FROM")
        if name == "FROM":
            image, *rest = args.split()
            if image not in stages and not re.fullmatch(r"[a-z0-9./-]+:(?!latest$)[\w.-]+", image):
                wrong(number, f"found the image {image}; allowed are an earlier stage, or a name with a tag")
            if rest:
                stages.add(rest[-1])
        if name == "COPY":
            check_copy(number, args, stages, wrong)
        if name in ("CMD", "ENTRYPOINT") or args.startswith("["):
            check_exec_form(number, name, args, wrong)
        if name == "HEALTHCHECK":
            check_exec_form(number, name, args.partition(" CMD ")[2], wrong)
        if name == "RUN" and "apt-get install" in args and "apt-get update" not in args:
            wrong(number, "found apt-get install by itself; allowed is it with apt-get update before")
    names = [name for _, name, _ in found]
    for name in ("EXPOSE", "HEALTHCHECK", "CMD"):
        if names.count(name) != 1:
            wrong(1, f"found {names.count(name)} of {name}; allowed is 1")
    if names[-1] != "CMD":
        wrong(found[-1][0], f"found {names[-1]} last; allowed is CMD")


def check_copy(number, args, stages, wrong):
    flags = [it for it in args.split() if it.startswith("--")]
    sources = [it for it in args.split() if not it.startswith("--")][:-1]
    for flag in flags:
        stage = flag.removeprefix("--from=")
        if stage == flag or stage not in stages:
            wrong(number, f"found {flag}; allowed is --from= one of {sorted(stages)}")
    for source in sources:
        if not flags and not (TOP / source).exists():
            wrong(number, f"found {source}, which is not in the repository")


def check_exec_form(number, name, args, wrong):
    try:
        words = json.loads(args)
    except ValueError as error:
        wrong(number, f"found {name} {args!r}; allowed is a JSON list ({error})")
        return
    if not words or not all(isinstance(it, str) for it in words):
        wrong(number, f"found {name} {args!r}; allowed is a list of words")


def check_compose(path, exposed, kept, faults):
    def wrong(text):
        faults.append(f"docker/{path.name}:1: {text}")

    compose = yaml.safe_load(path.read_text())
    if set(compose) - {"services", "volumes"}:
        wrong(f"found {sorted(compose)}; allowed are services and volumes")
    declared = set(compose.get("volumes", {}))
    for name, service in compose["services"].items():
        unknown = set(service) - SERVICE_KEYS
        if unknown:
            wrong(f"{name}: found {sorted(unknown)}; allowed are {sorted(SERVICE_KEYS)}")
        build = service.get("build", {})
        context = (DOCKER / build.get("context", ".")).resolve()
        if build and not (context / build.get("dockerfile", "Dockerfile")).is_file():
            wrong(f"{name}: found no {build} to build")
        if service.get("privileged") is not True or service.get("cgroup") != "private":
            wrong(f"{name}: the jails need `privileged: true` and `cgroup: private`")
        for port in service.get("ports", []):
            if str(port).rpartition(":")[2] not in exposed:
                wrong(f"{name}: found the port {port}; the image exposes {sorted(exposed)}")
        for volume in service.get("volumes", []):
            source, _, target = volume.partition(":")
            if source not in declared or target not in kept:
                wrong(f"{name}: found the volume {volume}; declared are {sorted(declared)}, kept {sorted(kept)}")


if __name__ == "__main__":
    sys.exit(main())
