// Keeps threads and processes busy, and says when they are.
const { Worker } = require('node:worker_threads');
const { spawn } = require('node:child_process');

const many = Number(process.argv[3]);
let ready = 0;
for (let i = 0; i < many; i++) {
    spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' });
    const text = "require('node:worker_threads').parentPort.postMessage(0); for (;;);";
    new Worker(text, { eval: true }).on('message', () => {
        ready += 1;
        if (ready === many) {
            require('node:fs').writeSync(1, 'thinking\n');
            for (;;);
        }
    });
}
