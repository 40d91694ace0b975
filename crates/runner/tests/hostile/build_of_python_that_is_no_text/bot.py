# ÿþ
print("#END")
