/** Checks that the disk of a ledger is local and has enough space. */
import { existsSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LedgerFault } from '../../../base/faults/fault.ts';
import { unusable } from '../faults.ts';

/** Payrun refuses network file systems, because a lock there may not keep out other machines. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0x20030528, 'OrangeFS'],
  [0xaad7aaea, 'PanFS'],
]);

/** All FUSE file systems have this type, local or not. The list of mounts names the program behind each mount. */
const fuseType = 0x65735546;
const networkFuse = new Set(
  [
    'sshfs,s3fs,goofys,mount-s3,rclone,gcsfuse,blobfuse,blobfuse2,curlftpfs,davfs,davfs2,smbnetfs,gvfsd-fuse',
    'glusterfs,ceph,ceph-fuse,cephfs,juicefs,JuiceFS,mfs,moosefs,lizardfs,seaweedfs,hdfs,alluxio,beegfs,afs',
    'google-drive-ocamlfuse,onedriver,vmhgfs-fuse,grpcfuse',
  ].flatMap((names) => names.split(',')),
);

export function networkOf(type: number, mountinfo: string, path: string): string | null {
  // Some systems return the type as a negative number.
  const unsigned = type >>> 0;
  if (unsigned !== fuseType) return networkTypes.get(unsigned) ?? null;
  const mount = mountOf(mountinfo, path);
  if (mount === null) return null;
  const program = mount.type.replace(/^fuse\./, '');
  if (networkFuse.has(program)) return program;
  // If an unknown FUSE program mounts an address, its file system counts as a network disk.
  return mount.type === 'fuse' && /^(https?:\/\/|[\w.-]+@?[\w.-]*:\/)/.test(mount.source) ? mount.source : null;
}

function mountOf(mountinfo: string, path: string): { type: string; source: string } | null {
  let found: { type: string; source: string } | null = null;
  let longest = -1;
  for (const line of mountinfo.split('\n')) {
    const [before = '', after] = line.split(' - ');
    const place = before.split(' ')[4];
    if (after === undefined || place === undefined) continue;
    const point = unescaped(place);
    const holds = point === '/' || path === point || path.startsWith(`${point}/`);
    if (!holds || point.length < longest) continue;
    const [type = '', source = ''] = after.split(' ').map(unescaped);
    found = { type, source };
    longest = point.length;
  }
  return found;
}

/** The kernel writes spaces and some other characters as octal numbers. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Throws for a network disk, because two machines could both believe that they hold the ledger. */
export function requireLocalDisk(path: string): void {
  const place = standingPart(path);
  const name = networkOf(statfsSync(place).type, readMounts(), place);
  if (name === null) return;
  throw unusable(path, { fault: 'ledger-is-on-network', fileSystem: name });
}

const standingPart = (path: string): string => (existsSync(path) ? realpathSync(path) : standingPart(dirname(path)));

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

const megabyte = 1024 * 1024;
/** The free bytes for a new ledger of 16,000 rows of 4 kilobytes. `roomFault` adds twice the ledger's own size. */
const leastRoom = 64 * megabyte;

export function roomFault(freeBytes: number, ledgerBytes: number): LedgerFault | null {
  const neededBytes = leastRoom + 2 * ledgerBytes;
  if (freeBytes >= neededBytes) return null;
  const freeMegabytes = Math.floor(freeBytes / megabyte);
  return { fault: 'ledger-lacks-room', freeMegabytes, neededMegabytes: Math.ceil(neededBytes / megabyte) };
}

export function requireRoom(path: string): void {
  const { bavail, bsize } = statfsSync(path);
  const size = (one: string) => statSync(one, { throwIfNoEntry: false })?.size ?? 0;
  const why = roomFault(bavail * bsize, size(path) + size(`${path}-wal`));
  if (why !== null) throw unusable(path, why);
}
