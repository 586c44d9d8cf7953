/** `node --import dies.ts main.ts …`: DIES=`k` ends the process with SIGKILL before the k-th commit of a ledger. */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread, MessagePort } from 'node:worker_threads';

const last = Number(process.env.DIES);
let commits = 0;

function pass(text: string): void {
  if (text === 'COMMIT') commits += 1;
  if (commits === last) process.kill(process.pid, 'SIGKILL');
}

if (isMainThread) {
  const { run } = StatementSync.prototype;
  StatementSync.prototype.run = function told(this: StatementSync, ...values: Parameters<typeof run>) {
    pass(this.sourceSQL);
    return run.apply(this, values);
  } as typeof run;
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function told(this: DatabaseSync, text) {
    pass(text);
    exec.call(this, text);
  };
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function told(this: MessagePort, message: unknown, ...more: never[]) {
    pass((message as { text?: string }).text ?? '');
    postMessage.call(this, message, ...more);
  };
}
