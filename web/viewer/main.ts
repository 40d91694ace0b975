// What a page loads to show replays: defines <agon-replay>.

import { ReplayElement } from "./element";

if (!customElements.get("agon-replay")) customElements.define("agon-replay", ReplayElement);
