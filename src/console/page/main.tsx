/** The page begins here: who is logged in is asked first, then the address is followed. */
import { render } from 'preact';
import { App } from './app.tsx';
import { catchDrops } from './drops.ts';
import { followLinks } from './route.ts';
import { readSession, saySeen, waitForServer } from './server.ts';

followLinks();
catchDrops();
render(<App />, document.getElementById('page')!);
readSession().catch(waitForServer);
for (const sign of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(sign, saySeen, { capture: true, passive: true });
