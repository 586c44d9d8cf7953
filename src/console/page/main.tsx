/** Starts the page: asks who is logged in, and shows the page that the address names. */
import { render } from 'preact';
import { App } from './app.tsx';
import { say } from './parts.tsx';
import { followLinks } from './route.ts';
import { readSession, saySeen, waitForServer } from './server.ts';
import { timeZone } from './words.ts';

// The server writes times in its texts, and an event stream and a download can send no header of this page.
// biome-ignore lint/suspicious/noDocumentCookie: a browser has the Cookie Store API only since 2025, and only over https.
document.cookie = `payrun_zone=${timeZone}; Path=/; SameSite=Strict`;
followLinks();
catchDrops();
render(<App />, document.getElementById('page')!);
readSession().catch(waitForServer);
for (const sign of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(sign, saySeen, { capture: true, passive: true });

/** Ignores files that are dropped in the wrong place, because the browser would leave the page and open them. */
function catchDrops(): void {
  const isStray = (event: DragEvent) =>
    !event.defaultPrevented &&
    event.dataTransfer?.types.includes('Files') === true &&
    // The browser itself handles a file that is dropped on a file field.
    !(event.target instanceof HTMLInputElement && event.target.type === 'file');
  addEventListener('dragover', (event) => {
    if (isStray(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (!isStray(event)) return;
    event.preventDefault();
    say('The file was dropped beside its place, and nothing was uploaded. Drop a sheet into the box on Home.');
  });
}
