// What a player has in mind, in the 3D picture: a ball where a plane may go, a
// cross where that ends it, a diamond where it ends a little later; to the one
// that is chosen leads a line, and a cone there points along the new heading.

import {
  BoxGeometry,
  type BufferGeometry,
  type Camera,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  OctahedronGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";

import type { Fate } from "./orders";
import type { Palette } from "./palette";
import type { Picture, Plan, Point } from "./picture";
import { place, point } from "./space";
import { SEATS } from "./view";

/** Of a sign for a way, in cells. */
const SIGN = 0.2;
/** How much larger the chosen one is. */
const CHOSEN = 1.5;

const UP = new Vector3(0, 1, 0);

/** All that is planned. Made anew whenever that changes: it is little, and seldom. */
export class Plans {
  readonly group = new Group();
  #ball = new SphereGeometry(1, 12, 8);
  #diamond = new OctahedronGeometry(1.3);
  #bar = new BoxGeometry(3.2, 0.6, 0.6);
  #cone = new ConeGeometry(0.26, 0.8, 12).translate(0, 0.35, 0);
  #rod = new CylinderGeometry(1, 1, 1, 6, 1, true);
  #seats = SEATS.map(() => new MeshBasicMaterial());
  #bad = new MeshBasicMaterial();
  #shot = new MeshBasicMaterial({ transparent: true, opacity: 0.45, depthWrite: false });
  #crosses: Group[] = [];
  #shown: readonly Plan[] = [];

  dress(colours: Palette): void {
    for (const seat of SEATS) this.#seats[seat]!.color = new Color(colours.seats[seat]);
    this.#bad.color = new Color(colours.burst);
    this.#shot.color = new Color(colours.shot);
  }

  /** `eye` is who looks: crosses turn to it. */
  show({ plans }: Picture, size: number, eye: Camera): void {
    if (plans !== this.#shown) {
      this.#shown = plans;
      this.group.clear();
      this.#crosses = [];
      for (const it of plans) this.#build(it, size);
    }
    for (const it of this.#crosses) it.quaternion.copy(eye.quaternion);
  }

  close(): void {
    const geometries: BufferGeometry[] = [this.#ball, this.#diamond, this.#bar, this.#cone, this.#rod];
    for (const it of [...geometries, ...this.#seats, this.#bad, this.#shot]) it.dispose();
  }

  #build({ of, from, to, nose, shot, ways }: Plan, size: number): void {
    const paint = this.#seats[of[0]]!;
    for (const it of ways) this.#sign(it.at, it.fate, SIGN, paint, size);
    this.#sign(to.at, to.fate, SIGN * CHOSEN, paint, size);
    this.#line(from, to.at, 0.05, paint, size);
    if (shot !== null) this.#line(to.at, shot, 0.06, this.#shot, size);
    const cone = new Mesh(this.#cone, paint);
    place(cone.position, to.at, size);
    cone.quaternion.setFromUnitVectors(UP, point(new Vector3(), nose).normalize());
    this.group.add(cone);
  }

  #sign(at: Point, fate: Fate | null, large: number, paint: MeshBasicMaterial, size: number): void {
    if (fate === null || fate === "trap") {
      const mesh = new Mesh(fate === null ? this.#ball : this.#diamond, fate === null ? paint : this.#bad);
      mesh.scale.setScalar(large);
      place(mesh.position, at, size);
      this.group.add(mesh);
      return;
    }
    const cross = new Group();
    for (const way of [1, -1]) {
      const bar = new Mesh(this.#bar, this.#bad);
      bar.rotation.z = (way * Math.PI) / 4;
      cross.add(bar);
    }
    cross.scale.setScalar(large);
    place(cross.position, at, size);
    this.#crosses.push(cross);
    this.group.add(cross);
  }

  #line(from: Point, to: Point, thick: number, paint: MeshBasicMaterial, size: number): void {
    const [begin, end] = [place(new Vector3(), from, size), place(new Vector3(), to, size)];
    const way = end.clone().sub(begin);
    const long = way.length();
    // A gun at the wall shoots nowhere.
    if (long < 1e-4) return;
    const mesh = new Mesh(this.#rod, paint);
    mesh.position.copy(begin.add(end).multiplyScalar(0.5));
    mesh.quaternion.copy(new Quaternion().setFromUnitVectors(UP, way.divideScalar(long)));
    mesh.scale.set(thick, long, thick);
    this.group.add(mesh);
  }
}
