// Defines <agon-play>.

import { PlayElement } from "./element";

if (customElements.get("agon-play") === undefined) customElements.define("agon-play", PlayElement);
