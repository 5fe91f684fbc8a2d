import subprocess,sys,os,threading
log=open('/tmp/newcomer/log-%d.txt'%os.getpid(),'w')
p=subprocess.Popen([sys.executable,'/tmp/newcomer/adapter.py'],stdin=subprocess.PIPE,stdout=subprocess.PIPE)
def out():
    for l in p.stdout:
        log.write('< '+l.decode());log.flush();sys.stdout.buffer.write(l);sys.stdout.flush()
t=threading.Thread(target=out);t.start()
for l in sys.stdin.buffer:
    log.write('> '+l.decode());log.flush();p.stdin.write(l);p.stdin.flush()
p.stdin.close();t.join()
