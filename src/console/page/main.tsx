/** The page begins here: who is logged in is asked first, then the address is followed. */
import { render } from 'preact';
import { App } from './app.tsx';
import { say } from './parts.tsx';
import { followLinks } from './route.ts';
import { readSession, saySeen, waitForServer } from './server.ts';

followLinks();
catchDrops();
render(<App />, document.getElementById('page')!);
readSession().catch(waitForServer);
for (const sign of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(sign, saySeen, { capture: true, passive: true });

/** Catches files dropped beside their place: the browser would leave the page and open them. */
function catchDrops(): void {
  const isStray = (event: DragEvent) =>
    !event.defaultPrevented &&
    event.dataTransfer?.types.includes('Files') === true &&
    // The browser handles this drop.
    !(event.target instanceof HTMLInputElement && event.target.type === 'file');
  addEventListener('dragover', (event) => {
    if (isStray(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (!isStray(event)) return;
    event.preventDefault();
    say('The file was dropped beside its place, and nothing was handed in. Drop a sheet into the box on Home.');
  });
}
