/** Catches files dropped beside their place: the browser would leave the page and open them. */
import { say } from './parts.tsx';

export function catchDrops(): void {
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
