// What planes leave behind in the 3D picture: trails that grow thinner with
// age, shots, explosions, wrecks. A change of lane is a row of dashes in the
// trail; the trail of the second side carries beads.

import {
  BoxGeometry,
  type Camera,
  Color,
  CylinderGeometry,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";

import { TRAIL_MAX } from "./match";
import type { Palette } from "./palette";
import type { Picture, Point, Trail } from "./picture";
import { place } from "./space";
import { N_PLANES, N_SEATS } from "./view";

const N = N_SEATS * N_PLANES;
const DASHES = 3;

/** Of a trail, from its old to its new end, in cells. */
const THIN = 0.025;
const THICK = 0.06;

const UP = new Vector3(0, 1, 0);

/** Trails, shots, explosions, wrecks. */
export class Marks {
  readonly group = new Group();
  #rod = new CylinderGeometry(1, 1, 1, 6, 1, true);
  #ball = new SphereGeometry(1, 8, 6);
  #burst = new IcosahedronGeometry(1, 1);
  #bar = new BoxGeometry(1.1, 0.14, 0.14);
  #paint = new MeshBasicMaterial();
  #rods = new InstancedMesh(this.#rod, this.#paint, (TRAIL_MAX + 2) * N * DASHES);
  #beads = new InstancedMesh(this.#ball, this.#paint, (TRAIL_MAX + 2) * N);
  #shots: Mesh<CylinderGeometry, MeshBasicMaterial>[];
  #bursts: { outer: Mesh<IcosahedronGeometry, MeshBasicMaterial>; inner: Mesh<IcosahedronGeometry, MeshBasicMaterial> }[];
  #wrecks: { cross: Group; bars: Mesh<BoxGeometry, MeshBasicMaterial>[] }[];
  #seats: Color[] = [new Color(), new Color()];
  #place = new Matrix4();
  #turn = new Quaternion();

  constructor() {
    const see_through = (wireframe: boolean) => new MeshBasicMaterial({ transparent: true, wireframe, depthWrite: false });
    const four = <T>(make: () => T): T[] => Array.from({ length: N }, make);
    this.#shots = four(() => new Mesh(this.#rod, see_through(false)));
    this.#bursts = four(() => ({ outer: new Mesh(this.#burst, see_through(true)), inner: new Mesh(this.#burst, see_through(false)) }));
    this.#wrecks = four(() => {
      const bars = [1, -1].map((way) => {
        const bar = new Mesh(this.#bar, new MeshBasicMaterial());
        bar.rotation.z = (way * Math.PI) / 4;
        return bar;
      });
      const cross = new Group();
      cross.add(...bars);
      return { cross, bars };
    });
    for (const it of [this.#rods, this.#beads]) it.frustumCulled = false;
    const bursts = this.#bursts.flatMap((it) => [it.outer, it.inner]);
    this.group.add(this.#rods, this.#beads, ...this.#shots, ...bursts, ...this.#wrecks.map((it) => it.cross));
  }

  dress(colours: Palette): void {
    this.#seats = colours.seats.map((it) => new Color(it));
    for (const it of this.#shots) it.material.color = new Color(colours.shot);
    for (const { outer, inner } of this.#bursts) for (const it of [outer, inner]) it.material.color = new Color(colours.burst);
  }

  /** `eye` is who looks: crosses turn to it. */
  show(picture: Picture, size: number, eye: Camera, trails: boolean): void {
    this.#show_trails(trails ? picture.trails : [], size);
    for (const [no, mesh] of this.#shots.entries()) {
      const ray = picture.rays[no];
      mesh.visible = ray !== undefined;
      if (ray === undefined) continue;
      const [from, to] = [place(new Vector3(), ray.from, size), place(new Vector3(), ray.to, size)];
      const thick = ray.hit ? 0.11 : 0.05;
      mesh.visible = rod(this.#place, this.#turn, from, to, thick);
      this.#place.decompose(mesh.position, mesh.quaternion, mesh.scale);
      mesh.material.opacity = ray.strength * (ray.hit ? 1 : 0.7);
    }
    for (const [no, { outer, inner }] of this.#bursts.entries()) {
      const burst = picture.bursts[no];
      outer.visible = inner.visible = burst !== undefined;
      if (burst === undefined) continue;
      place(outer.position, burst.at, size);
      inner.position.copy(outer.position);
      outer.scale.setScalar(0.95 + burst.gone * 0.8);
      inner.scale.setScalar(0.55 + burst.gone * 0.3);
      outer.material.opacity = 1 - burst.gone;
      inner.material.opacity = 0.75 * (1 - burst.gone);
    }
    for (const [no, { cross, bars }] of this.#wrecks.entries()) {
      const wreck = picture.wrecks[no];
      cross.visible = wreck !== undefined;
      if (wreck === undefined) continue;
      place(cross.position, wreck.at, size);
      cross.quaternion.copy(eye.quaternion);
      for (const bar of bars) bar.material.color.copy(this.#seats[wreck.of[0]]!);
    }
  }

  close(): void {
    for (const it of [this.#rods, this.#beads]) it.dispose();
    for (const it of [this.#rod, this.#ball, this.#burst, this.#bar]) it.dispose();
    this.#paint.dispose();
    const meshes = [...this.#shots, ...this.#bursts.flatMap((it) => [it.outer, it.inner]), ...this.#wrecks.flatMap((it) => it.bars)];
    for (const it of meshes) it.material.dispose();
  }

  #show_trails(trails: readonly Trail[], size: number): void {
    let [n_rods, n_beads] = [0, 0];
    for (const { of, points, flights } of trails) {
      const colour = this.#seats[of[0]]!;
      const at = points.map((it: Point) => place(new Vector3(), it, size));
      flights.forEach((flight, no) => {
        const thick = THIN + (THICK - THIN) * ((no + 1) / flights.length);
        const dashes = flight === "lane" ? DASHES : 1;
        for (let dash = 0; dash < dashes; dash++) {
          const [begin, end] = dashes === 1 ? [0, 1] : [(dash + 0.22) / dashes, (dash + 0.78) / dashes];
          const [from, to] = [at[no]!.clone().lerp(at[no + 1]!, begin), at[no]!.clone().lerp(at[no + 1]!, end)];
          if (!rod(this.#place, this.#turn, from, to, thick)) continue;
          this.#rods.setMatrixAt(n_rods, this.#place);
          this.#rods.setColorAt(n_rods++, colour);
        }
        if (of[0] === 0) return;
        this.#place.makeScale(thick * 2, thick * 2, thick * 2).setPosition(at[no]!);
        this.#beads.setMatrixAt(n_beads, this.#place);
        this.#beads.setColorAt(n_beads++, colour);
      });
    }
    for (const [mesh, n] of [[this.#rods, n_rods], [this.#beads, n_beads]] as const) {
      mesh.count = n;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
    }
  }
}

/** The place of a rod of length 1 along y, so that it goes from `from` to `to`; false where these are the same. */
function rod(to_write: Matrix4, turn: Quaternion, from: Vector3, to: Vector3, thick: number): boolean {
  const way = to.clone().sub(from);
  const long = way.length();
  if (long < 1e-4) return false;
  turn.setFromUnitVectors(UP, way.divideScalar(long));
  to_write.compose(from.clone().add(to).multiplyScalar(0.5), turn, new Vector3(thick, long, thick));
  return true;
}
