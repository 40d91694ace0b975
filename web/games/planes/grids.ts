// The floor and the walls of the arena as grids. Of the walls only those are
// shown that are seen from within, so that none stands before the planes.

import { BufferGeometry, Color, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, PlaneGeometry, type Vector3 } from "three";

import type { Palette } from "./palette";

/** Floor and walls. */
export class Grids {
  readonly group = new Group();
  #floor = new LineBasicMaterial();
  #ground = new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity: 0.6, depthWrite: false });
  #wall = new LineBasicMaterial();
  #lines: BufferGeometry;
  #sheet: PlaneGeometry;
  #sides: { lines: LineSegments; normal: readonly [number, number, number] }[];

  constructor(private readonly size: number) {
    this.#lines = net(size);
    this.#sheet = new PlaneGeometry(size, size);
    const half = size / 2;
    const turned = (material: LineBasicMaterial, x: number, z: number, at: readonly [number, number, number]) => {
      const lines = new LineSegments(this.#lines, material);
      lines.rotation.set(x, 0, z);
      lines.position.set(...at);
      this.group.add(lines);
      return lines;
    };
    turned(this.#floor, 0, 0, [0, -half, 0]);
    const ground = new Mesh(this.#sheet, this.#ground);
    ground.rotation.x = -Math.PI / 2;
    ground.position.y = -half - 0.02;
    this.group.add(ground);
    const quarter = Math.PI / 2;
    this.#sides = [
      { lines: turned(this.#wall, quarter, 0, [0, 0, -half]), normal: [0, 0, 1] },
      { lines: turned(this.#wall, quarter, 0, [0, 0, half]), normal: [0, 0, -1] },
      { lines: turned(this.#wall, 0, quarter, [-half, 0, 0]), normal: [1, 0, 0] },
      { lines: turned(this.#wall, 0, quarter, [half, 0, 0]), normal: [-1, 0, 0] },
    ];
  }

  dress(colours: Palette): void {
    this.#floor.color = new Color(colours.grid);
    this.#wall.color = new Color(colours.wall);
    this.#ground.color = new Color(colours.paper);
  }

  /** Shows the walls that `eye` sees from within. */
  show(eye: Vector3): void {
    const half = this.size / 2;
    for (const { lines, normal } of this.#sides) {
      const [x, y, z] = normal;
      lines.visible = eye.x * x + eye.y * y + eye.z * z + half > 0;
    }
  }

  close(): void {
    this.#lines.dispose();
    this.#sheet.dispose();
    for (const it of [this.#floor, this.#ground, this.#wall]) it.dispose();
  }
}

/** Lines between the cells of a flat square around 0. */
function net(size: number): BufferGeometry {
  const half = size / 2;
  const points: number[] = [];
  for (let k = 0; k <= size; k++) points.push(k - half, 0, -half, k - half, 0, half, -half, 0, k - half, half, 0, k - half);
  const lines = new BufferGeometry();
  lines.setAttribute("position", new Float32BufferAttribute(points, 3));
  return lines;
}
