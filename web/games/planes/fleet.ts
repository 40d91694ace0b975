// The four planes of the 3D picture, with a plumb line to the floor and, where
// it is wanted, the line along which each would shoot. The first side flies
// darts, the second one planes with straight, striped wings.

import {
  BoxGeometry,
  BufferGeometry,
  CircleGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  LineDashedMaterial,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Vector3,
} from "three";

import type { Palette } from "./palette";
import { type Picture, type Pose, toWall } from "./picture";
import { place, point } from "./space";
import { PLANES, SEATS } from "./view";

/** Planes are larger than their cells, so that they can be told apart from afar. */
const SCALE = 1.5;

/** How far a plane leans that changes its lane, in radians. */
const LEAN = 0.7;

interface Craft {
  body: Group;
  plumb: Line;
  shade: Mesh;
  aim: Line;
}

/** All planes. */
export class Fleet {
  readonly group = new Group();
  #bodies = SEATS.map(() => new MeshLambertMaterial({ side: DoubleSide, flatShading: true }));
  #stripes = new MeshLambertMaterial({ flatShading: true });
  #plumbs = new LineBasicMaterial({ transparent: true, opacity: 0.55 });
  #shades = new MeshBasicMaterial({ transparent: true, opacity: 0.4, depthWrite: false });
  #aims = SEATS.map(() => new LineDashedMaterial({ dashSize: 0.25, gapSize: 0.35, transparent: true, opacity: 0.8 }));
  #geometries: BufferGeometry[] = [];
  #crafts: Craft[][];

  constructor() {
    const dart = this.#keep(wedge());
    const shade = this.#keep(new CircleGeometry(0.4, 16).rotateX(-Math.PI / 2));
    this.#crafts = SEATS.map((seat) =>
      PLANES.map(() => {
        const body = new Group();
        body.scale.setScalar(SCALE);
        if (seat === 0) body.add(new Mesh(dart, this.#bodies[0]));
        else this.#build_cross(body);
        const craft: Craft = {
          body,
          plumb: new Line(this.#keep(segment()), this.#plumbs),
          shade: new Mesh(shade, this.#shades),
          aim: new Line(this.#keep(segment()), this.#aims[seat]),
        };
        this.group.add(body, craft.plumb, craft.shade, craft.aim);
        return craft;
      }),
    );
  }

  dress(colours: Palette): void {
    for (const seat of SEATS) {
      this.#bodies[seat]!.color = new Color(colours.seats[seat]);
      this.#aims[seat]!.color = new Color(colours.seats[seat]);
    }
    this.#stripes.color = new Color(colours.stripe);
    this.#plumbs.color = new Color(colours.soft);
    this.#shades.color = new Color(colours.soft);
  }

  show(picture: Picture, size: number, aims: boolean): void {
    for (const seat of SEATS) {
      for (const no of PLANES) {
        const craft = this.#crafts[seat]![no]!;
        const pose = picture.poses.find((it) => it.name[0] === seat && it.name[1] === no);
        for (const it of Object.values(craft)) (it as Group).visible = pose !== undefined;
        if (pose !== undefined) show(craft, pose, size, aims);
      }
    }
  }

  close(): void {
    for (const it of this.#geometries) it.dispose();
    const materials: Material[] = [...this.#bodies, this.#stripes, this.#plumbs, this.#shades, ...this.#aims];
    for (const it of materials) it.dispose();
  }

  /** A body with a pointed nose, straight wings with stripes, and a tail. */
  #build_cross(body: Group): void {
    const part = (geometry: BufferGeometry, material: Material | undefined, at: readonly [number, number, number]) => {
      const mesh = new Mesh(this.#keep(geometry), material);
      mesh.position.set(...at);
      body.add(mesh);
    };
    const [paint, stripes] = [this.#bodies[1], this.#stripes];
    part(new CylinderGeometry(0.1, 0.07, 0.7, 8).rotateX(Math.PI / 2), paint, [0, 0, -0.1]);
    part(new ConeGeometry(0.1, 0.3, 8).rotateX(Math.PI / 2), paint, [0, 0, 0.4]);
    part(new BoxGeometry(1.15, 0.05, 0.26), paint, [0, 0.02, 0.05]);
    for (const x of [-0.46, -0.27, 0.27, 0.46]) part(new BoxGeometry(0.09, 0.07, 0.28), stripes, [x, 0.02, 0.05]);
    part(new BoxGeometry(0.46, 0.05, 0.16), paint, [0, 0.02, -0.4]);
    part(new BoxGeometry(0.05, 0.26, 0.16), paint, [0, 0.15, -0.4]);
  }

  #keep<T extends BufferGeometry>(geometry: T): T {
    this.#geometries.push(geometry);
    return geometry;
  }
}

function show({ body, plumb, shade, aim }: Craft, pose: Pose, size: number, aims: boolean): void {
  const at = place(body.position, pose.at, size);
  const nose = point(new Vector3(), pose.nose);
  body.up.set(0, 1, 0);
  // Straight up or down there is no such thing as level wings: north is the back then.
  if (Math.abs(nose.y) > 0.99) body.up.set(0, 0, -1);
  body.lookAt(at.clone().add(nose));
  body.rotateZ(pose.lean * LEAN);
  const floor = -size / 2;
  stretch(plumb, at, new Vector3(at.x, floor, at.z));
  shade.position.set(at.x, floor + 0.02, at.z);
  aim.visible = aims && pose.cooldown === 0;
  if (!aim.visible) return;
  stretch(aim, at, place(new Vector3(), toWall(pose.at, pose.nose, size), size));
  aim.computeLineDistances();
}

function segment(): BufferGeometry {
  const line = new BufferGeometry();
  line.setAttribute("position", new Float32BufferAttribute([0, 0, 0, 0, 0, 0], 3));
  return line;
}

function stretch(line: Line, from: Vector3, to: Vector3): void {
  const points = line.geometry.getAttribute("position");
  points.setXYZ(0, from.x, from.y, from.z);
  points.setXYZ(1, to.x, to.y, to.z);
  points.needsUpdate = true;
  // Where it is changes with every picture: it is never left out for being out of sight.
  line.frustumCulled = false;
}

/** A dart: nose, two swept wings, a keel and a fin. The nose points along z. */
function wedge(): BufferGeometry {
  const [nose, left, right, notch, top, keel] = [
    [0, 0, 0.62],
    [0.5, 0, -0.48],
    [-0.5, 0, -0.48],
    [0, 0.02, -0.26],
    [0, 0.2, -0.36],
    [0, -0.14, -0.3],
  ];
  const faces = [nose, left, top, nose, top, right, left, notch, top, right, top, notch, nose, keel, left, nose, right, keel, left, keel, notch, right, notch, keel];
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(faces.flat() as number[], 3));
  geometry.computeVertexNormals();
  return geometry;
}
